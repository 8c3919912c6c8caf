/** Words for answer fields with the same meaning everywhere, by name. Empty if the name needs no explanation. */
export const SHARED_ANSWERS: Readonly<Record<string, string>> = {
  count: 'rows in this answer',
  limit: 'the most rows this answer could have',
  offset: 'how many rows were left out',
  next_offset: '`offset` of the next page; null where there is none',
  before_id: '`before_id` of the next page; null where there is none',
  message: 'what became of the call, for people to read',
  project_id: 'the project, as `GET /projects` lists it',
  article_id: 'the article, as `GET /articles` lists it',
  approval_id: 'the question to a person, as `GET /approvals` lists it',
  approve_url: 'the page on which a person approves it or sends it back: give it to the user',
  expires_at: 'until when a person can approve it',
  error: 'what it waits for, in one sentence',
  ignored: 'sent names that the operation does not know',
  notes: 'a sentence about each name in `ignored`',
  created_at: '',
  updated_at: '',
}
