import { wordSet } from './word-set.ts';

/** Words of tool names. A missing read word costs a question, a missing write word may cost data. */

export const DESTRUCTIVE: ReadonlySet<string> = wordSet(`
  abort ban block cancel clean cleanup clear deactivate decommission del delete deprovision destroy
  detach discard drop empty erase evict expunge factory flush forget format kick kill nuke
  overwrite prune purge recreate refund remove replace reset revert revoke rm rmdir rollback shred
  shutdown suspend terminate transfer trash truncate unassign undeploy uninstall uninvite unlink
  unprotect unpublish unregister unsubscribe void wipe withdraw
`);

export const WRITE: ReadonlySet<string> = wordSet(`
  accept acknowledge activate add adjust alert allocate allow alter amend announce annotate append apply
  approve archive assign associate attach authorize backup begin bind book bookmark broadcast build buy
  call capture cast change charge checkin checkout claim click clone close combine comment commit
  compile complete compose compress configure confirm connect copy create crop customize
  cut deal debit decline decrement delegate deploy deposit dim disable disconnect dismiss dispatch
  donate download drag draft draw duplicate edit email emit enable encrypt end enqueue enrol enroll
  enter escalate eval evaluate exec execute export extend fill finalize finish fix flag flip follow
  fork forward freeze fulfill give go grant hire hold hover import increment index ingest
  init initialize initiate inject input insert install instantiate interact invest invite invoice invoke
  issue join jump label launch learn leave lend like link load lock log login logout make manage
  mark merge message migrate mint mkdir mock modify mount move mutate mute name navigate notify
  onboard open optimize order override pause pay pin place plan play populate post press
  process produce promote protect provision publish pull purchase push put queue raise rate react
  rearrange rebase rebuild record recover redeem redeploy redirect redo refresh regenerate register
  reject release reload remember remind rename renew rent reopen reorder repair reply report repost
  reprocess request rerun reschedule reserve resize restart restore resume retry
  retweet rewrite rotate run save schedule scroll select sell send set share ship sign signup silence
  snooze spawn split squash stage stake star start stash stop store stream submit subscribe
  swap switch sync tag tap text toggle touch trade train transcode transition trigger tune turn
  tweet type unarchive unblock undo unfollow unfreeze unlock unmute unpause unpin unset unstage
  unstar unzip update upgrade upload upsert upvote use volume vote wake warm write zip
`);

export const READ: ReadonlySet<string> = wordSet(`
  analyse analyze browse calculate check compare count describe diff estimate explain fetch find get
  inspect list lookup peek ping preview query read retrieve search show summarise summarize validate
  view whoami
`);

/** Read when the name has nothing else; not “status_update”. */
export const READ_ALONE: ReadonlySet<string> = wordSet(
  'health help history info stats status version versions',
);

/** Also count after another word: “airbnb_search”. */
export const READ_ANYWHERE: ReadonlySet<string> = wordSet(`
  describe fetch find get getter lookup read reader retrieve search searcher
`);

/** Read verbs that are also nouns: “list_update” may update a list. */
export const MAYBE_THING_FIRST: ReadonlySet<string> = wordSet(
  'check count diff list preview query search view',
);
export const VERB_AT_END: ReadonlySet<string> = wordSet(`
  archive export import merge move open post run share start stop store sync transfer trash trigger update upgrade
`);

/** Nouns after a read verb: “get_comment” reads; “comment” and “get_and_comment” write. */
export const MAYBE_THING: ReadonlySet<string> = wordSet(`
  alert archive backup block book bookmark broadcast build call capture cast change charge claim
  comment commit deal deploy deposit draft email end export flag fork format forward grant
  hold import index input invite invoice issue label like link load lock log login mark merge message
  name open order pin place plan play post process produce pull purchase push queue rate record
  refund release report request run schedule share ship sign signup stage stake star start
  stash stop store stream switch sync tag text trade train transfer transition trash trigger tweet
  type update upgrade use volume vote
`);

export const CONJUNCTIONS: ReadonlySet<string> = wordSet('and or then plus');
