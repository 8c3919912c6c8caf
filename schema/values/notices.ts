/** Kinds of notices that people can choose. */
export const NOTICE_KINDS = [
  'publication_failed',
  'will_not_go_out',
  'draft_waits',
  'approval_wanted',
  'decided',
  'rewrite_ready',
  'work_failed',
  'connection_lapsed',
  'credits_low',
] as const
/** `exchange_asked` asks once whether a project stays in the backlink exchange. People cannot choose it. */
export const TOLD_KINDS = [...NOTICE_KINDS, 'exchange_asked'] as const
export const NOTICE_CHOICES = ['at_once', 'daily', 'never'] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]
export type ToldKind = (typeof TOLD_KINDS)[number]
export type NoticeChoice = (typeof NOTICE_CHOICES)[number]
