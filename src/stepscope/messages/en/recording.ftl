# Recordings: which of several is shown, and why another is not.

recording-span = span { $span } of { $spans } of { $worker }
recording-span-other = span { $span } of { $spans } of { $worker }; show it with --span { $span }
recording-beside = beside the recording by { $recorder }, which the tables of rank { $rank } show
recording-no-rank = belongs to no rank: neither the recording nor its name says one
recording-left = { $left } of { $count } recordings are not in the other tables; the note says why
recording-memory-beside = the memory tables are of it; the others of the recording by { $recorder } of rank { $rank }
