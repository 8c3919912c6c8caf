import type { ErrorCode } from '../../schema/values/errors.ts'

/** Message of an error, with `…` for what differs, its cause, and what to do. */
export type ErrorCase = { says: string; cause: string; remedy: string }

const RACE = 'Another call changed the same thing at the same moment.'
const REPEAT = 'Repeat the call.'
const UNDECIDED = 'Open the approval again: its page has the present text, or the decision that was made.'

/** Messages of the codes that have more than one cause. */
export const ERROR_CASES: Partial<Record<ErrorCode, readonly ErrorCase[]>> = {
  edit_conflict: [
    {
      says: 'The post is being adopted by another call. …',
      cause: RACE,
      remedy: REPEAT,
    },
    {
      says: 'An owner of the account deleted this project, and it is erased on …. Nothing was changed.',
      cause: 'An owner deleted the site. It can be kept until that day.',
      remedy: 'Ask an owner to keep it, on the page of the sites. Then repeat the call.',
    },
    {
      says: 'This move does not wait any more. …',
      cause: 'The move of the site was confirmed, set aside or replaced, or the site changed.',
      remedy: 'A person opens the page of the move again. `GET /projects/:id/move` has its state.',
    },
    { says: 'Another … at the same moment. …', cause: RACE, remedy: REPEAT },
    { says: 'The secret was changed at the same time. …', cause: RACE, remedy: REPEAT },
    {
      says: 'Another call is undoing changes of the account. …',
      cause: 'One undo of an account runs at a time.',
      remedy: 'Repeat the call when the other one has ended.',
    },
    {
      says: 'Another import of the account is running. …',
      cause: 'One import of an account runs at a time.',
      remedy: 'Wait until `GET /imports/:id` says that it ended.',
    },
    {
      says: 'Another reply to this review is being posted. …',
      cause: 'One reply to a review is sent at a time.',
      remedy: 'Repeat the call in a moment. The same reply is not posted twice.',
    },
    {
      says: 'Several articles with this keyword are being created at once. …',
      cause: 'Each needs an address of its own.',
      remedy: REPEAT,
    },
    {
      says: 'Somebody else changed the policy meanwhile. …',
      cause: 'Two people changed the policy of a site.',
      remedy: 'Look at the newest policy, then change it again.',
    },
    {
      says: 'The archive is not ready, or it could not be made.',
      cause: 'The archive is being made, or it failed.',
      remedy: 'Read `GET /exports/:id`: its `status` says which.',
    },
    {
      says: 'The archive is still being made.',
      cause: 'The archive is being made.',
      remedy: 'Read `GET /exports/:id` until it is ready.',
    },
    {
      says: 'The integration was changed or disconnected at the same time. …',
      cause: RACE,
      remedy: 'Read the integration, and repeat the call if you still want the change.',
    },
    {
      says: 'The project is still being imported. …',
      cause: 'An import ends by making its project active.',
      remedy: 'Wait until `GET /imports/:id` says that it ended.',
    },
    { says: 'The project was connected again at the same moment. …', cause: RACE, remedy: REPEAT },
    {
      says: 'There is a subscription already. …',
      cause: 'An account has one subscription.',
      remedy: 'Change the plan and the slots of that one, on the page of the plan.',
    },
    {
      says: '… If the account uses the person’s address, choose somebody without an account of their own.',
      cause: 'An account has at least one owner.',
      remedy: 'Make another person owner first.',
    },
    {
      says: '… has this website. Archive that one first.',
      cause: 'A website has one active project.',
      remedy: 'Use that project, or archive it first.',
    },
  ],
  forbidden: [
    {
      says: 'The … belongs to another account.',
      cause: 'The ID is of something that another account owns.',
      remedy: 'Use IDs of your own account, from a list.',
    },
    {
      says: 'Only an owner of the account may do this.',
      cause: 'The person who is signed in, or who made the key, is not an owner.',
      remedy: 'Ask an owner.',
    },
    {
      says: 'The person who made this key no longer owns the account. …',
      cause: 'Keys with `admin` work only while their person is an owner.',
      remedy: 'Ask an owner for a new key.',
    },
    {
      says: 'You no longer work in this account, or not in all its projects. …',
      cause: 'The role of the person was changed.',
      remedy: 'Ask an owner for the role that you need.',
    },
  ],
  invalid_transition: [
    {
      says: 'A change set that is … cannot be …. …',
      cause: 'The set was released or reverted, or is under way.',
      remedy: 'Read the set for its state.',
    },
    {
      says: 'A rewrite would not make Google list the page, so nothing was changed. …',
      cause: 'The page is not listed for a reason that is not its text.',
      remedy: 'Mend what the message names, then ask with `POST /articles/:id/inspect`.',
    },
    {
      says: 'A post that failed has no comments to answer.',
      cause: 'The post was never published.',
      remedy: 'Publish it first, or set the rule on another post.',
    },
    {
      says: 'It is not known whether this post went out, so its text cannot be changed. …',
      cause: 'The answer of the network was lost.',
      remedy: 'Publish it unchanged: the service looks it up first.',
    },
    {
      says: 'The approval was already decided or has expired, or its text has changed. …',
      cause: 'Somebody else decided, seven days have passed, or the article was edited.',
      remedy: UNDECIDED,
    },
    {
      says: 'The approval was already decided or has expired. …',
      cause: 'A link is only for an open approval.',
      remedy: UNDECIDED,
    },
    {
      says: 'A post that is … cannot be ….',
      cause: 'The state of the post does not allow the call.',
      remedy: 'Read the post. A published one can only be deleted at the network.',
    },
    {
      says: 'The suggestion is …. It can be … only when it is ….',
      cause: 'The suggestion is in another state.',
      remedy: 'Read the suggestion, and make one of `next_calls`.',
    },
  ],
  superseded: [
    {
      says: 'The article was deleted, and the delivery is older than … days, so its text is not kept. …',
      cause: 'The text of old deliveries is kept only with their article.',
      remedy: 'Write the article anew.',
    },
    {
      says: 'The delivery has revision … of the article, and revision … is live. …',
      cause: 'Readers see newer content than the delivery has.',
      remedy: 'Send the newest content with `POST /articles/:id/sync`, or the older one with `{"force": true}`.',
    },
    {
      says: 'The answer to this delivery is not unclear, so nothing was changed.',
      cause: 'Somebody judged the answer before, or the delivery was sent again.',
      remedy: 'Do nothing. Read the delivery for its state.',
    },
    {
      says: 'The article was deleted, so no call could change or take down a post that is made now. …',
      cause: 'The article of the delivery does not exist any more.',
      remedy: 'Write the article anew. To send the old content anyway, send `{"force": true}`.',
    },
  ],
  cms_rejected: [
    {
      says: 'The post … has the status …',
      cause: 'Only posts that readers see are adopted.',
      remedy: 'Publish the post at the site, then adopt it.',
    },
    {
      says: 'The page redirects to another site: …',
      cause: 'Posts of a webhook site are read from their pages, and this one is not on the site of the project.',
      remedy:
        'Send the address at which the post is on the site. If the site has moved, see `POST /projects/:id/move`.',
    },
    {
      says: 'The address does not end in the slug of a post, by which a receiver finds it. …',
      cause: 'It is the home page of the site, or tells posts apart by a query, such as `?p=7`.',
      remedy: 'Send the address of a post with a slug.',
    },
    {
      says: 'The post cannot be an article: …',
      cause: 'The text of the post is too long, nests too deep or is cut off.',
      remedy: 'Shorten or repair the post at the site, then adopt it.',
    },
    {
      says: 'The text of the post has characters that no text may have. …',
      cause: 'The stored text has a NUL or half of a character, which cannot be kept as it is.',
      remedy: 'Save the post again at the site, then adopt it.',
    },
  ],
  unsupported_platform: [
    {
      says: 'Posts of … have no fields of their own that can be set.',
      cause: 'The platform has the parts of an article and no other fields, or the target is a webhook.',
      remedy: 'Leave out `fields`. A webhook gets them with the article, whatever their names.',
    },
    {
      says: 'A webhook has no list of posts. …',
      cause: 'A receiver takes articles and returns none.',
      remedy: 'Find pages with `GET /projects/:id/site-posts?q=`, and adopt them by `url`, or many by `urls`.',
    },
    {
      says: 'The posts of … cannot be listed or adopted by its API.',
      cause: 'The API of the platform does not list posts, or the service does not read them there yet.',
      remedy: 'Nothing can be done here. Articles that are made here can still be published there.',
    },
    {
      says: '… is not a publishing target; it has its own operations.',
      cause: 'Articles cannot be published there, or it is connected by another call.',
      remedy: 'Make one of `next_calls`.',
    },
    {
      says: '… cannot be tested yet.',
      cause: 'There is no test for this kind of connection.',
      remedy: 'Publish a short article, and read its receipt.',
    },
    {
      says: 'platform: … cannot be connected on this installation.',
      cause: 'The service is not set up for this network.',
      remedy: 'Choose one of `allowed`.',
    },
    {
      says: 'platform: … cannot be connected yet.',
      cause: 'The platform is not supported.',
      remedy: 'Choose one of `allowed`, or build a [webhook receiver](../guides/receiver.md).',
    },
  ],
  rate_limited: [
    {
      says: '… The limit is … a minute; repeat after … s.',
      cause: 'Too many calls by this key, or by all keys of the account, to this operation.',
      remedy: 'Wait `retry_after` seconds ([limits](../http/limits.md)).',
    },
    {
      says: 'Too many requests with an invalid access token or API key from this address. …',
      cause: 'A program repeats calls with a wrong key.',
      remedy: 'Stop it, and give it a valid key. Wait `retry_after` seconds.',
    },
    {
      says: 'The account has used its … new screenshots of …. …',
      cause: 'A day has a limit of new screenshots.',
      remedy: 'Wait until midnight UTC. Screenshots that exist are still returned.',
    },
    {
      says: 'The project has used … of … manual scans today…',
      cause: 'A day has a limit of manual scans, and each sample counts.',
      remedy: 'Wait until midnight UTC, or send fewer `samples`. The weekly scan does not count.',
    },
  ],
  plan_required: [
    {
      says: 'Requesting another rewrite needs a paid plan.',
      cause: 'The free plan has one rewrite of a suggestion.',
      remedy: 'Edit the article yourself, or choose a paid plan at `upgrade_url`.',
    },
    {
      says: 'The account’s plan does not include the service’s own keyword data.',
      cause: 'The plan has keyword data only by your own keys.',
      remedy: 'Save a key with `PUT /provider-keys/:provider`, or choose another plan at `upgrade_url`.',
    },
    {
      says: 'The account’s plan does not include the writer. …',
      cause: 'The plan has no writer.',
      remedy: 'Write the article yourself, or choose Pro or Accelerator at `upgrade_url`.',
    },
  ],
  published_article: [
    {
      says: 'A published article cannot be deleted. …',
      cause: 'Its post would stay at the site, and nothing would know it.',
      remedy: 'Take the post down or detach the article first: see `next_calls`.',
    },
    {
      says: 'On a published article, … cannot be changed. …',
      cause: 'A save alone would not reach readers.',
      remedy: 'Send the edits with `POST /articles/:id/sync`.',
    },
  ],
  nothing_to_roll_back: [
    {
      says: 'No earlier version of this post is kept: it has not been changed since it was published.',
      cause: 'The post is as it was first published.',
      remedy: 'Do nothing. To take it away, use `POST /articles/:id/unpublish`.',
    },
    {
      says: 'What the site showed before the change is no longer stored.',
      cause: 'The earlier version was too old, or could not be read at that time.',
      remedy: 'Restore a revision, and send it with `POST /articles/:id/sync`.',
    },
  ],
  publish_in_progress: [
    {
      says: 'Other articles of the project are being published, one at a time. …',
      cause: 'A project publishes one article at a time.',
      remedy: 'Repeat the call after `retry_after` seconds.',
    },
    {
      says: 'Articles of the project are being published, changed at their site, or waiting for a retry. …',
      cause: 'A project with work under way cannot be archived.',
      remedy:
        'Wait until `GET /articles?publish_state=publishing,retrying,unknown,awaiting_merge` lists none, then archive it.',
    },
    {
      says: 'The article is in an open pull request. …',
      cause: 'People may still merge it, and its post would then have no article.',
      remedy: 'Close the pull request with `POST /articles/:id/unpublish`, then delete the article.',
    },
  ],
  delivery_in_progress: [
    {
      says: 'The delivery is still under way; replay it when it has ended.',
      cause: 'An attempt runs, or the next one waits.',
      remedy: 'Replay it when its status is `delivered` or `failed`.',
    },
    {
      says: 'The policy of the project is being changed. …',
      cause: 'A person is saving the policy.',
      remedy: REPEAT,
    },
  ],
  empty_content: [
    {
      says: 'The article has no content yet. …',
      cause: 'There is no text to publish.',
      remedy: 'Save content, then publish it.',
    },
    {
      says: 'A published article cannot be empty. …',
      cause: 'The edit would leave readers an empty page.',
      remedy: 'Send the text, or take the post down.',
    },
  ],
  unsupported_for_sync: [
    {
      says: '… Nothing was saved or sent.',
      cause:
        'The post was adopted, and the call names no field, or its text lacks or rebuilds what only the site can write: blocks that HTML cannot express (`parts` names them), shortcodes, references to footnotes.',
      remedy:
        'Put back the element of each block, or add `data-remove` to it. Change only words inside such blocks. Otherwise, send only fields in `allowed` (in `details`).',
    },
    {
      says: 'A delivery has the whole text, …',
      cause: 'A replay would replace the whole text of an adopted post.',
      remedy: 'Send the fields again with `POST /articles/:id/sync`.',
    },
    {
      says: '… Take the post down on the site itself.',
      cause: 'The platform has no call that takes a post down.',
      remedy: 'Take it down at the site, then detach the article.',
    },
    {
      says: 'A … target does not keep what readers saw before, so nothing can be restored from it. …',
      cause: 'The platform cannot return the earlier text.',
      remedy: 'Restore a revision, and send it with `POST /articles/:id/sync`.',
    },
  ],
  changed_since_staged: [
    {
      says: 'The article was changed since. …',
      cause: 'Somebody edited the article after the change set was made.',
      remedy: 'Make a new set from the article as it is.',
    },
    {
      says: 'The article was changed or taken down since the rewrite was made. …',
      cause: 'The suggestion was made from an older text.',
      remedy: 'Look for suggestions again with `POST /suggestions/run`.',
    },
  ],
  not_published: [
    {
      says: 'The project has no published article with this ID and a public address.',
      cause: 'The article is of another project, is not published, or has no address.',
      remedy: 'Publish it first, or ask about the site as a whole.',
    },
    {
      says: 'The article has no public address yet, so Google cannot be asked about it.',
      cause: 'The receiver answered without an address.',
      remedy: 'Store it with `POST /articles/:id/address`.',
    },
    {
      says: 'The article … is not published. …',
      cause: 'A change set changes live articles.',
      remedy: 'Leave the article out, or publish it first.',
    },
  ],
  campaign_in_progress: [
    {
      says: 'An identical call is creating this campaign. …',
      cause: 'The first call still runs.',
      remedy: 'Repeat the call after `retry_after` seconds: it returns the same campaign.',
    },
    {
      says: 'The campaign is being created. …',
      cause: 'The provider has not confirmed it.',
      remedy: 'Repeat the call shortly.',
    },
  ],
  invalid_json: [
    {
      says: 'The body is not UTF-8 text.',
      cause: 'The body has another encoding.',
      remedy: 'Encode it as UTF-8.',
    },
    {
      says: 'The body is not valid JSON: parsing stopped at ….',
      cause: 'A comma, quote or bracket is missing, or a character must be escaped.',
      remedy: 'Correct it at the position. Build bodies with a JSON library, not by joining text.',
    },
  ],
  body_too_large: [
    {
      says: 'The body is larger than … bytes (… MiB).',
      cause: 'The body is larger than the operation takes.',
      remedy: 'Send images to `POST /images` instead of in the text.',
    },
    {
      says: 'The archive cannot be imported: ….',
      cause: 'The archive is larger than an import takes.',
      remedy: 'The message names the limit. Save the articles with `POST /articles` instead.',
    },
  ],
}
