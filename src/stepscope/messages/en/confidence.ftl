### Why a saving is so sure, and no surer.

confidence-may-save-nothing = the range includes zero
confidence-may-not-apply = it may not be possible in this program
confidence-wide-range = the range is wider than { $points } percentage points
confidence-narrow-range = the range spans at most { $points } percentage points
confidence-single-step = only one step was examined
confidence-fix-unknown = it is unknown whether this fix applies
confidence-other-straggler = only if rank { LABEL($rank) }, another straggler, is fixed as well
confidence-other-stages = only as far as the job does not wait for other pipeline stages then
confidence-uneven-steps = the recorded steps differ much
confidence-tested = { $reason }; { $count } earlier fixes of this kind set its width
confidence-fix-varies = what the fix takes instead differs from program to program
