"""What a kernel returns besides its results: 0, or why it was left; sites are numbered from 1."""

# The original must run the call; what is assumed of the arguments does not hold.
DEOPTIMISED = -1
UNASSUMED = -2
# The processor's flags tell of floating-point errors that NumPy warns of.
FLAGGED = -3
# Or this one less the flags, where all is done, and they tell of which op the errors are.
REPORTED = -16
