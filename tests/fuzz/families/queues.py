"""Queues and heaps that loops take out of and put into."""

from ..scope import Family

QUEUES = Family(
    preamble="import heapq\nfrom collections import Counter, defaultdict, OrderedDict\n",
    makes={
        "queue": ["deque([<i0>, <f0>])", "deque()", "deque(range(<size>))", "deque([<f0>, <f0>, <f0>], maxlen=3)", "deque(<LIST>)"],
        "heap": ["[(<f0>, <i0>)]", "[]", "[(float(k), k) for k in range(3)]"],
        "counter": ["Counter([<i0>, <i0>, 1])", "Counter()", "Counter(<I1>.tolist())"],
        "lists": ["defaultdict(list)", "defaultdict(list, {1: [<i0>]})"],
        "rings": ["deque([<f1>, <f1>], maxlen=2)", "deque([<F1>, <f1>])"],
    },
    reads={
        "f0": ["<QUEUE>[<at>]", "sum(<QUEUE>)", "<HEAP>[0][0]", "max(<QUEUE>)", "min(<HEAP>)[0]"],
        "i0": ["len(<QUEUE>)", "len(<HEAP>)", "<COUNTER>[<i0>]", "len(<LISTS>)", "sum(<COUNTER>.values())", "heapq.nsmallest(1, <HEAP>)[0][1]"],
        "f1": ["np.array(<QUEUE>)", "<RINGS>[<at>]", "sum(<RINGS>)", "np.array([v for v, _ in <HEAP>])"],
        "b0": ["<QUEUE>", "<HEAP>", "<i0> in <QUEUE>", "<i0> in <COUNTER>"],
        "list": ["list(<QUEUE>)", "sorted(<COUNTER>.values())", "<LISTS>[<i0>]", "[v for v, _ in <HEAP>]"],
        "text": ["str(<QUEUE>)", "str(<HEAP>)"],
    },
    writes=[
        "<QUEUE>.append(<f0>)", "<QUEUE>.appendleft(<i0>)", "print(<QUEUE>)", "<QUEUE>.rotate(1)", "<QUEUE>.extend([<i0>, <f0>])", "<QUEUE>[<at>] = <f0>",
        "<=f0> = <QUEUE>.popleft()", "<=f0> = <QUEUE>.pop()", "<RINGS>.append(<f1>)", "<RINGS>[<at>][<at>] = <f0>", "<RINGS>[<at>] += <f0>",
        "heapq.heappush(<HEAP>, (<f0>, <i0>))", "<=f0>, <=i0> = heapq.heappop(<HEAP>)", "heapq.heapify(<HEAP>)", "print(<HEAP>)",
        "<=f0>, <=i0> = heapq.heappushpop(<HEAP>, (<f0>, 1))", "<COUNTER>[<i0>] += 1", "<COUNTER>.update([<i0>])", "print(sorted(<COUNTER>.items()))",
        "<LISTS>[<i0>].append(<f0>)", "print(dict(<LISTS>))",
        "while <QUEUE:q> and <counter:k> < 8:\n    <k> += 1\n    <=f0:v> = <q>.popleft()\n    if <b0>:\n        <q>.append(<v> + <k>)\n    <block>",
        "while <HEAP:h> and <counter:k> < 8:\n    <k> += 1\n    <=f0:v>, <=i0:n> = heapq.heappop(<h>)\n    if <n> < 3:\n        heapq.heappush(<h>, (<v> + <f0>, <n> + 1))",
        "for <=f0:v> in <F1>:\n    heapq.heappush(<HEAP:h>, (<v>, len(<h>)))\n    if len(<h>) > 3:\n        print(heapq.heappop(<h>))",
        "for <=i0:i> in range(<size>):\n    <RINGS:r>.append(<r>[0] * 0.5 + <i>)\n    <block>",
        "for <=i0:n> in <I1>.tolist():\n    <COUNTER>[<n>] += 1\n    <LISTS>[<n> % 2].append(<n>)",
        "<=queue:q> = deque([0])\n<=list:s> = [False] * 6\n<s>[0] = True\nwhile <q>:\n    <=i0:n> = <q>.popleft()\n    for <=i0:o> in (<n> * 2 + 1, (<n> + <i0>) % 6):\n        if <o> < 6 and not <s>[<o>]:\n            <s>[<o>] = True\n            <q>.append(<o>)\nprint(<s>)",
        "while True:\n    <counter:k> += 1\n    if not <QUEUE:q> or <k> > 6:\n        break\n    print(<q>.pop())",
    ],
)  # fmt: skip
