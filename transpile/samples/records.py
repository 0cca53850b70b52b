"""Arrays of records: their fields and rows, and the functions of `numpy.lib.recfunctions`."""

import numpy.lib.recfunctions  # noqa: F401 (calls are made of it)

CALLS = r"""
r['x'] + r['k']
r[1:]['y'].sum()
r[0]['x']
r[np.argsort(r['x'])]
np.zeros(n, [('x', 'f8'), ('k', 'i4')])
np.empty_like(r)['x'].shape
np.zeros_like(r)
np.lib.recfunctions.append_fields(r, 'n', v[:3])
np.lib.recfunctions.append_fields(r, 'n', v[:3], usemask=False)
np.lib.recfunctions.apply_along_fields(np.mean, r)
np.lib.recfunctions.apply_along_fields(np.mean, q)
np.lib.recfunctions.assign_fields_by_name(r, q)
np.lib.recfunctions.assign_fields_by_name(r, q, zero_unassigned=False)
np.lib.recfunctions.drop_fields(r, 'k')
np.lib.recfunctions.drop_fields(r, ['k', 'y'], usemask=False)
np.lib.recfunctions.find_duplicates(np.ma.array(r))
np.lib.recfunctions.join_by('x', r, q)
np.lib.recfunctions.merge_arrays((r, q))
np.lib.recfunctions.rec_append_fields(r, 'n', v[:3])
np.lib.recfunctions.rec_drop_fields(r, 'k')
np.lib.recfunctions.rec_join('x', r, q)
np.lib.recfunctions.recursive_fill_fields(q, r)
np.lib.recfunctions.rename_fields(r, {'x': 'z'})
np.lib.recfunctions.repack_fields(r)
np.lib.recfunctions.repack_fields(r, align=True)
np.lib.recfunctions.require_fields(r, [('x', 'f8'), ('y', 'f8')])
np.lib.recfunctions.stack_arrays((q, q))
np.lib.recfunctions.structured_to_unstructured(r)
np.lib.recfunctions.structured_to_unstructured(q)
np.lib.recfunctions.structured_to_unstructured(q, copy=True)
np.lib.recfunctions.structured_to_unstructured(r, dtype=np.float32)
np.lib.recfunctions.unstructured_to_structured(a)
np.lib.recfunctions.unstructured_to_structured(m, np.dtype([('x', 'f4'), ('y', 'i4', 2)]))
np.lib.recfunctions.unstructured_to_structured(m, names=['x', 'y', 'z'], copy=True)
"""
