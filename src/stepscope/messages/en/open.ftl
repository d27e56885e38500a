# Choosing what to open and to show.

open-belongs = it is a page of { $file }, which is read and holds more
open-cannot-open-nothing = cannot open a recording
open-no-path = no path was given
open-name-a-trace = Name a trace file or a folder of traces.
open-cannot-show-rank = cannot show rank { $rank }
open-cannot-open-in-part = cannot read a part of { $path }
open-cannot-read-part = cannot read the part { $part }
open-choose-steps = Choose steps with --step instead.
open-no-part = it is not a range (from, to) in ns since the first entry
open-only-snapshots-in-part = only memory snapshots can be read in part
open-part-backwards = it ends before it begins, or is empty
open-part-example = For example: between_ns=(0, 2_000_000_000) for the first two seconds.
open-cannot-show-no-rank = cannot select ranks
open-no-rank-named = no rank was named
open-name-rank = Name one, or leave the choice out.
open-no-rank-number = it is neither a rank nor a list of ranks
open-rank-example = For example: 0 or [0, 1].
open-ranks = the profile has { $which }
open-cannot-show-step = cannot show step { $step }
open-no-step-number = it is neither a step nor a first and last step
open-steps-backwards = the last step comes before the first
open-step-example = For example: 3, (3, 5) or "3:5".
open-steps = the profile has steps { $which }
open-cannot-show-span = cannot show span { $span }
open-one-span = there is one recording of each process
open-leave-span-out = Leave --span out.
open-spans = { $worker } has spans 1-{ $spans }
open-name-span = Name one of them, or leave --span out.
