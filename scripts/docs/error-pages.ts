import type { ErrorCode } from '../../src/platform/lib/errors.ts'

/** Meaning and remedy of each error code. Because of the type, a code without an entry does not compile. */
export const ERROR_PAGES: Record<ErrorCode, { deps: string; remedy: string }> = {
  invalid_input: {
    deps: 'A parameter, a header or a field of the body is missing or not as it must be. Nothing was changed.',
    remedy:
      'Read `details`: each entry names the `field`, says what is wrong, and where there is a list or a range what is `allowed`.',
  },
  invalid_json: { deps: 'The body is not JSON, or not UTF-8.', remedy: 'Fix it at the position the message names.' },
  invalid_id: {
    deps: 'An id or name in the path is none: most ids are positive 32-bit integers. `details` says what it must be.',
    remedy: 'Use the id as it came in an answer.',
  },
  forbidden_url: {
    deps: 'An address is not on the public internet: private, loopback, link-local or metadata hosts, other schemes than http and https, credentials in the URL, or a port below 1024 that is not 80 or 443.',
    remedy: 'Give a public http or https address.',
  },
  no_fields: {
    deps: 'The body has no field this operation knows, or none that changes something.',
    remedy: 'Send at least one of those in `allowed` (in `details`).',
  },
  published_article: {
    deps: 'A published article cannot be changed with PUT or deleted.',
    remedy:
      'Send edits with `POST /articles/:id/sync`. Before it is deleted, take its post down with `POST /articles/:id/unpublish`, where the platform can.',
  },
  changed_meanwhile: {
    deps: 'The call named a version in `If-Match`, and the article, project or integration was changed since. Nothing was saved.',
    remedy:
      'Read it again, put your change on what it says now, and send it with the `ETag` of that answer (it is also in `etag`).',
  },
  budget_reached: {
    deps: 'The campaign costs more than the project’s `crowdwork_budget` of this month leaves. Nothing was made or spent; `budget`, `committed` and `cost` are dollars.',
    remedy: 'Ask the user: raise `crowdwork_budget`, make the campaign smaller, or wait for the next month.',
  },
  campaign_in_progress: {
    deps: 'The same call is making this campaign at the moment, or the campaign that is to be registered is being made.',
    remedy:
      'Repeat it after `retry_after` seconds. Within ten minutes of this answer it gets the same campaign, and no second one is made or paid. An equal campaign besides it is made after that, or with another `template_title`.',
  },
  already_rated: {
    deps: 'The slot has a rating that is for good.',
    remedy: 'Leave it; `rating` says which it has.',
  },
  crowdwork_rejected: {
    deps: 'The provider of crowdwork refuses what was asked; `upstream` has its own words. Nothing was spent.',
    remedy: 'Change what it names and send the call again.',
  },
  provider_failed: {
    deps: 'A service that is needed for the answer answers what cannot be used. The message says whether anything was changed.',
    remedy: 'Repeat the call later; if it stays, tell the operator of this service the request id.',
  },
  beta_closed: {
    deps: 'The feature is in beta, and the beta is closed for the account.',
    remedy: 'Tell the user, and stop this step. Repeating the call does not help.',
  },
  not_entitled: {
    deps: 'The feature needs an entitlement that the account does not have.',
    remedy: 'Tell the user which entitlement is missing, and stop this step.',
  },
  screenshot_failed: {
    deps: 'The page could not be captured cleanly. `reason` says why: `unreachable`, `http_error`, `timeout`, `cookie_banner`, `blank_page`, `wrong_brand` (the name appears nowhere in the page) or `blocked` (the site keeps machines out).',
    remedy:
      'Do what `instructions_for_agent` says. The same address gives the same answer for 24 hours; with another `name` it is captured again.',
  },
  not_published: {
    deps: 'Only a published article can be synced, rolled back or taken down: this one is not published.',
    remedy: 'Change it with `PUT /articles/:id` and publish it with `POST /articles/:id/publish`.',
  },
  empty_content: { deps: 'The article has nothing to show yet.', remedy: 'Save content, then publish.' },
  no_cms_integration: {
    deps: 'The project has no CMS or webhook to publish to.',
    remedy: 'Connect one with `POST /projects/:id/integrations`, or send the user to `connect_url`.',
  },
  unsupported_for_sync: {
    deps: 'The platform cannot do what was asked: put back the version readers saw before, or take a post down. Nothing was changed.',
    remedy:
      'For a rollback, restore a revision of the article and send it with `POST /articles/:id/sync`. To take a post down, do so at the site itself.',
  },
  byo_keys_required: {
    deps: 'Keyword data on this plan comes from the account’s own keys of a keyword provider, and none is saved. `required` names the providers.',
    remedy:
      'Show `instructions_for_agent` to the user as it is. Save a key with `PUT /provider-keys/:provider`, or at `setup_url`; do not repeat the call before.',
  },
  byo_keys_invalid: {
    deps: 'The keyword provider does not accept the account’s own key (`reason` `rejected`), or the account there cannot pay (`no_credit`). `upstream` holds its words. A key that was to be saved is not saved.',
    remedy: 'Have the user change the key or the account there. Do not repeat the call before.',
  },
  nothing_to_roll_back: {
    deps: 'No earlier version of the post was kept: the service has not changed it since it was published.',
    remedy: 'Nothing needs to be put back.',
  },
  no_social_account: {
    deps: 'The project has no account of that social network to post from. Nothing was saved.',
    remedy:
      'Connect one with `POST /social/accounts` (the user has to agree at the network), or leave the network out. `GET /social/accounts` lists what is connected.',
  },
  profile_not_connected: {
    deps: 'No Google Business Profile is connected to the project. Nothing was changed.',
    remedy:
      'Connect one with `POST /social/accounts` and `platform: "googlebusiness"`; the user has to agree at Google.',
  },
  profile_rejected: {
    deps: 'Google refused the change to the business profile, for the reason in `upstream`. Nothing was changed.',
    remedy: 'Tell the user the reason; change the text, or have it put right at Google, then send it again.',
  },
  invalid_transition: {
    deps: 'The thing is in a state in which this cannot be done with it; `status` names the state.',
    remedy: 'Read it again, and do what its state allows.',
  },
  social_account_rejected: {
    deps: 'The social network refused the credentials, or the network, Google or the provider of posts refuses access to an account for good. Nothing was changed.',
    remedy:
      'Tell the user what `upstream` says and do what `instructions_for_agent` says: have it fixed there, or have the account connected again. Repeating the call before does not help.',
  },
  provider_unavailable: {
    deps: 'A service that is needed for the answer does not answer at the moment. Nothing was changed, unless the message says that this is not known. `upstream` holds its words, where it had any.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
  cms_rejected: {
    deps: 'The CMS refused the credentials or the address is not its own. `upstream` holds its reason. Nothing was saved.',
    remedy: 'Fix what the reason names, then send the same request again.',
  },
  rollback_failed: {
    deps: 'The CMS did not take the earlier version. `upstream` holds its reason.',
    remedy: 'Look at the page. Where `retryable` is true repeat the call, else fix what the reason names before.',
  },
  unpublish_failed: {
    deps: 'The CMS did not take the post down, or its answer was lost. `upstream` holds its reason. The article stays published here.',
    remedy:
      'Where `retryable` is true repeat the call: taking a post down twice does no harm. Else fix what the reason names.',
  },
  unsupported_platform: {
    deps: 'The platform cannot be connected yet, or the integration is no publishing target and has operations of its own.',
    remedy: 'Choose one of `allowed`, or make one of `next_calls`.',
  },
  unauthorized: {
    deps: 'The API key is missing, mistyped, unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer <API_KEY>` with a valid key. Refusals count against 30 a minute per address.',
  },
  account_inactive: { deps: 'The account is suspended.', remedy: 'Ask the account’s owner to contact support.' },
  project_limit_reached: {
    deps: 'Every paid project slot is in use.',
    remedy:
      'Show `instructions_for_agent` to the user. After a slot was bought at `purchase_url` the same request succeeds.',
  },
  plan_not_included: {
    deps: 'The account’s plan does not include what was asked for. Nothing was billed.',
    remedy: 'Choose one of the included plans, or send the user to `upgrade_url`.',
  },
  plan_required: {
    deps: 'The account’s plan does not include what was asked for. Nothing was billed.',
    remedy:
      'Show `instructions_for_agent` to the user. After a change of plan at `upgrade_url` the same call succeeds.',
  },
  key_budget_used: {
    deps: 'A person gave the API key a budget a month (UTC), and the call would take more than is left of it. `unit`, `limit` and `used` say which. Nothing was started or billed.',
    remedy:
      'Show `instructions_for_agent` to the user: a person raises the budget on the page for keys. It begins again at `resets_on`.',
  },
  no_article_credits: {
    deps: 'The account has no article credit left. Nothing was started.',
    remedy: 'Wait for the credits of the next month (UTC), or send the user to `upgrade_url`.',
  },
  key_may_not: {
    deps: 'The scope of the API key does not include the call. Nothing was changed.',
    remedy:
      'Use a key with the scope in `required_scope`; `instructions_for_agent` says where the user makes one. `key_scope` is what the key has.',
  },
  policy: {
    deps: 'The policy that a person set for the project refuses it. `rule` is the clause: `frozen`, `allowed_targets`, `monthly_budget`, `quiet_hours`, `max_publications_per_day` or `needs_approval`. Nothing was changed.',
    remedy:
      'Do what `instructions_for_agent` says; `GET /projects/:id/policy` shows every clause. A person changes them on the page of the project, no key can.',
  },
  forbidden: { deps: 'The resource belongs to another account.', remedy: 'Use ids of your own account.' },
  not_found: {
    deps: 'The resource does not exist, or its project is archived, as the message says then.',
    remedy:
      'Check the id; it may have been deleted. An archived project comes back with `POST /projects/:id/unarchive`.',
  },
  unknown_path: { deps: 'There is no such endpoint.', remedy: 'Check the path; all endpoints are below `/api/v1`.' },
  method_not_allowed: {
    deps: 'The endpoint exists, but not with this method.',
    remedy: 'Use one of `allowed` (also in the `Allow` header).',
  },
  already_being_written: {
    deps: 'The service is writing the article.',
    remedy: 'Wait until it is finished, then repeat.',
  },
  site_scan_running: {
    deps: 'The project’s site is still being scanned; keyword research builds on what that finds. Nothing was started.',
    remedy: 'Repeat the call when `setup.site_scan` in `GET /projects/:id` is `completed` or `failed`.',
  },
  publish_in_progress: {
    deps: 'The article, or another of its project, is being published at this moment. This call sent and changed nothing.',
    remedy: 'Wait `retry_after` seconds and read the article, or repeat.',
  },
  sync_in_progress: {
    deps: 'Another change of the published article is under way. Nothing was saved or sent.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
  idempotency_in_progress: {
    deps: 'The first request with this Idempotency-Key was still running after 10 seconds.',
    remedy: 'Repeat the same request after `retry_after` seconds to get its answer.',
  },
  delivery_in_progress: {
    deps: 'The delivery has not ended yet.',
    remedy: 'Replay it when its status is `delivered` or `failed`.',
  },
  duplicate_post: {
    deps: 'The same text, link and files went to the same account within ten minutes, without an Idempotency-Key. `post_id` names that post. Nothing was sent.',
    remedy: 'Do nothing if this is a repetition. Send `{"allow_duplicate": true}` if it is meant to go out twice.',
  },
  edit_conflict: {
    deps: 'Somebody changed the same thing at the same moment, or another active project has the website.',
    remedy: 'Where `retryable` is true read it again and repeat the call. Else do first what the message says.',
  },
  changed_since_staged: {
    deps: 'The article was changed or taken down since the rewrite was made. The suggestion is superseded.',
    remedy: 'Look for suggestions again with `POST /suggestions/run`.',
  },
  superseded: {
    deps: 'The delivery holds content that is older than what readers see. Nothing was sent.',
    remedy:
      'Send the newest content with `POST /articles/:id/sync`, or replay with `{"force": true}` to put the older back.',
  },
  scan_running: {
    deps: 'An AI-visibility scan of the project is running. Nothing was started, counted or paid.',
    remedy: 'Read `GET /ai-visibility` until `scanning` is false.',
  },
  no_prompts: {
    deps: 'The project has no AI-visibility prompts, and says too little of its business to make some. Nothing was started.',
    remedy: 'Add one with `POST /ai-visibility/prompts`, or fill in `business_description` with `PUT /projects/:id`.',
  },
  prompt_limit: {
    deps: 'As many AI-visibility prompts as allowed are active. Nothing was added.',
    remedy: 'Remove one with `DELETE /ai-visibility/prompts`, then add the new one.',
  },
  project_archived: {
    deps: 'The project is archived: nothing of it is published. Nothing was sent or saved.',
    remedy: 'Bring the project back with `POST /projects/:id/unarchive`, then repeat the call.',
  },
  body_too_large: { deps: 'The body is larger than allowed (`max_bytes`).', remedy: 'Send less.' },
  image_too_large: {
    deps: 'The image is larger than 12 MB, or its picture larger than 100 million pixels.',
    remedy: 'Make it smaller; max_bytes and max_pixels are in the answer.',
  },
  video_too_large: {
    deps: 'The video is larger than 64 MB. Nothing of it was kept.',
    remedy: 'Make it smaller; max_bytes is in the answer.',
  },
  unsupported_media: {
    deps: 'The bytes are no picture (JPG, PNG, WebP, GIF) and no video (MP4, MOV) that is whole. Neither a name nor a declared type counts.',
    remedy: 'Send one of the formats in allowed.',
  },
  media_not_fetched: {
    deps: 'The address did not answer with a picture or video: another status, no answer, too many redirects, or other bytes.',
    remedy:
      'Where `retryable` is true repeat the call later. Else open the address yourself, and give another one or send the file itself as a form.',
  },
  unsupported_image: {
    deps: 'The bytes are no JPG, PNG, WebP or GIF that is whole. Neither a name nor a declared type counts.',
    remedy: 'Send one of the formats in allowed. SVG is not taken because it can carry scripts.',
  },
  image_not_fetched: {
    deps: 'The address did not answer with an image: another status, no answer, too many redirects, or other bytes.',
    remedy:
      'Where `retryable` is true repeat the call later. Else open the address yourself, and give another one or send the bytes as image_base64.',
  },
  unsupported_media_type: {
    deps: 'The body was sent as another type than the operation takes, which is JSON but for files, or compressed.',
    remedy: 'Send one of the types in `allowed` as `Content-Type`, and no `Content-Encoding`.',
  },
  idempotency_key_reused: {
    deps: 'The Idempotency-Key was used before for another request: another body, path or query.',
    remedy: 'Use a new key for a new request, and the same key only to repeat the same request.',
  },
  rate_limited: {
    deps: 'Too many requests: per API key and operation, or per address. Or what a day allows is used up (AI-visibility scans, screenshots).',
    remedy: 'Wait `retry_after` seconds (also in `Retry-After`).',
  },
  internal: {
    deps: 'Something went wrong on our side.',
    remedy: 'Repeat the call, with the same Idempotency-Key where there was one; tell us the `request_id` if it stays.',
  },
  not_yet_available: {
    deps: 'The endpoint is part of the interface, but not built yet.',
    remedy: 'The address is right; try again after a later release.',
  },
  sync_failed: {
    deps: 'The site did not take the update; `message` and `upstream` say why. Edits that came with the call are saved (`saved`). Updates are sent once.',
    remedy:
      'Fix the cause, then call `POST /articles/:id/sync` again, under a new Idempotency-Key where the call with `saved: true` had one; an empty body sends what is saved.',
  },
  unavailable: {
    deps: 'A part of the service does not answer. Nothing was half-written; the message says whether it is known that nothing was changed.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
}
