/** Words for answer fields with the same meaning everywhere, by name. Empty if the name needs no explanation. */
export const SHARED_ANSWERS: Readonly<Record<string, string>> = {
  count: 'Number of rows in this response.',
  limit: 'Maximum number of rows in this response.',
  offset: 'Number of skipped rows.',
  next_offset: '`offset` for the next page. Null if there is none.',
  before_id: '`before_id` for the next page. Null if there is none.',
  message: 'Result of the call, as text for people.',
  project_id: 'ID of the project, as listed by `GET /projects`.',
  article_id: 'ID of the article, as listed by `GET /articles`.',
  approval_id: 'ID of the approval, as listed by `GET /approvals`.',
  approve_url: 'URL of the page on which a person approves it or sends it back. Show it to the user.',
  expires_at: 'Time until which a person can approve it.',
  error: 'Reason for waiting, in one sentence.',
  ignored: 'Sent names that the operation does not know.',
  notes: 'One sentence about each name in `ignored`.',
  created_at: '',
  updated_at: '',
}
