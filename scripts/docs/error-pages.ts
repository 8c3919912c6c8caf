import type { ErrorCode } from '../../schema/values/errors.ts'

/** Meaning and remedy of each error code. Because of the type, a code without an entry does not compile. */
export const ERROR_PAGES: Record<ErrorCode, { meaning: string; remedy: string }> = {
  invalid_input: {
    meaning: 'A parameter, a header or a field of the body is missing or invalid. Nothing was changed.',
    remedy:
      'Read `details`. Each entry has the `field` and what is wrong. For a list or a range, `allowed` has the allowed values.',
  },
  invalid_json: {
    meaning: 'The body is not JSON, or not UTF-8.',
    remedy: 'Correct it at the position in the message.',
  },
  invalid_id: {
    meaning:
      'An ID or name in the path is invalid. Most IDs are positive 32-bit integers. `details` has the required form.',
    remedy: 'Use the ID exactly as it was in a response.',
  },
  forbidden_url: {
    meaning:
      'A URL is not on the public internet. Not allowed: private, loopback, link-local or metadata hosts, schemes other than http and https, credentials in the URL, and ports below 1024 other than 80 and 443.',
    remedy: 'Send a public http or https URL.',
  },
  no_fields: {
    meaning: 'The body has no field that this operation knows, or none that changes something.',
    remedy: 'Send at least one of the fields in `allowed` (in `details`).',
  },
  published_article: {
    meaning: 'A published article cannot be changed with PUT or deleted.',
    remedy:
      'Send edits with `POST /articles/:id/sync`. Before you delete it, take its post down with `POST /articles/:id/unpublish`, if the platform supports that.',
  },
  changed_meanwhile: {
    meaning:
      'The call has a version in `If-Match`, and the article, project or integration was changed since. Nothing was saved.',
    remedy:
      'Read it again and apply your change to the current version. Send it with the `ETag` of that response (also in `etag`).',
  },
  budget_reached: {
    meaning:
      'The campaign costs more than the rest of the project’s `crowdwork_budget` this month. Nothing was created or spent. `budget`, `committed` and `cost` are in dollars.',
    remedy: 'Ask the user to raise `crowdwork_budget`, make the campaign smaller, or wait for the next month.',
  },
  campaign_in_progress: {
    meaning: 'The same call is creating this campaign now, or the campaign to register is being created.',
    remedy:
      'Repeat the call after `retry_after` seconds. Within ten minutes it returns the same campaign, and no second one is created or paid. To create another equal campaign, wait longer or use another `template_title`.',
  },
  already_rated: {
    meaning: 'The slot has a final rating.',
    remedy: 'Do nothing. `rating` has the rating.',
  },
  crowdwork_rejected: {
    meaning: 'The crowdwork provider refused the request. `upstream` has its message. Nothing was spent.',
    remedy: 'Correct the problem in the message and repeat the call.',
  },
  adoption_limit: {
    meaning:
      'The project has as many adopted articles as the plan allows. `used` and `limit` have the numbers. Nothing was adopted.',
    remedy: 'Release articles with `POST /articles/:id/release`, or ask the user to choose a larger plan.',
  },
  changed_at_site: {
    meaning:
      'People changed the text of the adopted post at the site since the service knew it, and the sent text does not have their changes. `parts` has each change. Nothing was saved or sent.',
    remedy:
      'Put the changes in `parts` into the text, and leave out what they removed. Then repeat the call. Or release the article and adopt the post again.',
  },
  adoption_running: {
    meaning: 'Posts of the project are being adopted already. Nothing was started.',
    remedy: 'Poll `GET /projects/:id/adoption` until it ends, then repeat the call.',
  },
  move_running: {
    meaning: 'The articles of the project are being looked for at a new address already. Nothing was started.',
    remedy: 'Poll `GET /projects/:id/move` until its `status` is another one, then repeat the call.',
  },
  not_adopted: {
    meaning: 'The service made the article, so it cannot be released. Only adopted articles can.',
    remedy: 'Unpublish or detach the article, then delete it.',
  },
  provider_failed: {
    meaning: 'A required service returned an unusable response. The message says whether anything was changed.',
    remedy: 'Repeat the call later. If the error persists, report the request ID.',
  },
  beta_closed: {
    meaning: 'The feature is in beta, and the beta is closed for the account.',
    remedy: 'Tell the user, and stop this step. Repeating the call does not help.',
  },
  not_entitled: {
    meaning: 'The feature needs an entitlement that the account does not have.',
    remedy: 'Tell the user which entitlement is missing, and stop this step.',
  },
  screenshot_failed: {
    meaning:
      'The page could not be captured correctly. `reason` is `unreachable`, `http_error`, `timeout`, `cookie_banner`, `blank_page`, `wrong_brand` (the page does not contain the name) or `blocked` (the site blocks bots).',
    remedy:
      'Follow `instructions_for_agent`. The same URL returns the same result for 24 hours. With another `name`, it is captured again.',
  },
  not_published: {
    meaning: 'Only a published article can be synced, rolled back or taken down. This article is not published.',
    remedy: 'Change it with `PUT /articles/:id` and publish it with `POST /articles/:id/publish`.',
  },
  empty_content: { meaning: 'The article has no visible content.', remedy: 'Save content, then publish.' },
  no_cms_integration: {
    meaning: 'The project has no CMS or webhook to publish to.',
    remedy: 'Connect one with `POST /projects/:id/integrations`, or send the user to `connect_url`.',
  },
  unsupported_for_sync: {
    meaning:
      'The platform does not support the operation: restoring the previous version, or taking a post down. Nothing was changed.',
    remedy:
      'Instead of a rollback, restore a revision of the article and send it with `POST /articles/:id/sync`. Take a post down at the site itself.',
  },
  byo_keys_required: {
    meaning:
      'On this plan, keyword data requires the account’s own key for a keyword provider, and none is saved. `required` lists the providers.',
    remedy:
      'Show `instructions_for_agent` to the user unchanged. Save a key with `PUT /provider-keys/:provider` or at `setup_url`. Do not repeat the call before that.',
  },
  byo_keys_invalid: {
    meaning:
      'The keyword provider rejects the account’s own key (`reason` is `rejected`), or the account there cannot pay (`no_credit`). `upstream` has its message. A rejected key is not saved.',
    remedy: 'Ask the user to change the key or the account there. Do not repeat the call before that.',
  },
  nothing_to_roll_back: {
    meaning: 'There is no earlier version of the post: the service has not changed it since it was published.',
    remedy: 'Nothing needs to be restored.',
  },
  no_social_account: {
    meaning: 'The project has no account of that social network to post from. Nothing was saved.',
    remedy:
      'Connect one with `POST /social/accounts` (the user has to agree at the network), or leave the network out. `GET /social/accounts` lists the connected accounts.',
  },
  profile_not_connected: {
    meaning: 'No Google Business Profile is connected to the project. Nothing was changed.',
    remedy:
      'Connect one with `POST /social/accounts` and `platform: "googlebusiness"`. The user has to agree at Google.',
  },
  profile_rejected: {
    meaning: 'Google refused the change to the business profile. `upstream` has the reason. Nothing was changed.',
    remedy: 'Tell the user the reason. Change the text, or ask the user to fix it at Google. Then send it again.',
  },
  invalid_transition: {
    meaning: 'The operation is not possible in the current status. `status` has the status.',
    remedy: 'Read the object again. Then do what its status allows.',
  },
  social_account_rejected: {
    meaning:
      'The social network refused the credentials, or the network, Google or the posting provider permanently refuses access to an account. Nothing was changed.',
    remedy:
      'Tell the user the message in `upstream` and follow `instructions_for_agent`: the user fixes it there or connects the account again. Repeating the call before that does not help.',
  },
  provider_unavailable: {
    meaning:
      'A required service does not respond. Nothing was changed, unless the message says that this is unknown. `upstream` has its message, if there was one.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
  cms_rejected: {
    meaning:
      'The CMS refused the credentials, or the URL is not that of the CMS. `upstream` has the reason. Nothing was saved.',
    remedy: 'Correct the problem in the reason, then send the same request again.',
  },
  rollback_failed: {
    meaning:
      'The CMS did not accept the earlier version, or its response was lost. `upstream` has the reason. If it is not known whether the change was made, `PublishState` is `unknown` until the service has asked the site.',
    remedy:
      'If `retryable` is true, repeat the call: it continues to the same version, `version_id`. Otherwise, correct the problem in the reason first.',
  },
  unpublish_failed: {
    meaning:
      'The CMS did not take the post down, or its response was lost. `upstream` has the reason. The article is still published in this service. If it is not known whether the post was taken down, `PublishState` is `unknown` until the service has asked the site.',
    remedy:
      'If `retryable` is true, repeat the call: taking a post down twice does no harm. Otherwise, correct the problem in the reason.',
  },
  unsupported_platform: {
    meaning:
      'The platform cannot be connected yet, or the integration is not a publishing target and has its own operations.',
    remedy: 'Choose one of `allowed`, or make one of `next_calls`.',
  },
  unauthorized: {
    meaning: 'The API key is missing, mistyped, unknown, expired or revoked.',
    remedy:
      'Send `Authorization: Bearer <API_KEY>` with a valid key. Calls with an invalid key count toward a limit of 30 a minute per IP address.',
  },
  account_inactive: { meaning: 'The account is suspended.', remedy: 'Ask the account’s owner to contact support.' },
  project_limit_reached: {
    meaning: 'All project slots are in use.',
    remedy:
      'Show `instructions_for_agent` to the user. After the user buys a slot at `purchase_url`, the same request succeeds.',
  },
  plan_not_included: {
    meaning: 'The account’s plan does not include the requested plan. Nothing was charged.',
    remedy: 'Choose one of the included plans, or send the user to `upgrade_url`.',
  },
  plan_required: {
    meaning: 'The account’s plan does not include the requested feature. Nothing was charged.',
    remedy:
      'Show `instructions_for_agent` to the user. After a change of plan at `upgrade_url`, the same call succeeds.',
  },
  key_budget_used: {
    meaning:
      'The API key has a monthly budget (UTC), set by a person, and the call needs more than the rest of it. See `unit`, `limit` and `used`. Nothing was started or charged.',
    remedy:
      'Show `instructions_for_agent` to the user. A person can raise the budget on the page for keys. The budget resets on `resets_on`.',
  },
  provider_budget_used: {
    meaning:
      'The providers of the service may charge a sum a month (UTC) for the account, by its plan and slots, and the call may cost more than the rest. See `limit`, `used` and `cost_usd`. Nothing was started or charged.',
    remedy:
      'Show `instructions_for_agent` to the user. The sum begins again on `resets_on`; a larger plan or more slots raise it. A smaller call, such as one with fewer `samples`, may fit.',
  },
  no_article_credits: {
    meaning: 'The account has no article credits left. Nothing was started.',
    remedy: 'Wait for the credits of the next month (UTC), or send the user to `upgrade_url`.',
  },
  key_may_not: {
    meaning: 'The scope of the API key does not include the call. Nothing was changed.',
    remedy:
      'Use a key with the scope in `required_scope`. `instructions_for_agent` says where the user creates one. `key_scope` is the current scope.',
  },
  policy: {
    meaning:
      'The policy of the project, set by a person, refuses the call. `rule` is `frozen`, `allowed_targets`, `monthly_budget`, `quiet_hours`, `max_publications_per_day` or `needs_approval`. Nothing was changed.',
    remedy:
      'Follow `instructions_for_agent`. `GET /projects/:id/policy` returns all rules. Only a person can change them, on the project’s page.',
  },
  forbidden: { meaning: 'The resource belongs to another account.', remedy: 'Use IDs of your own account.' },
  not_found: {
    meaning: 'The resource does not exist. Or its project is archived; the message then says so.',
    remedy:
      'Check the ID. The resource may have been deleted. Restore an archived project with `POST /projects/:id/unarchive`.',
  },
  unknown_path: { meaning: 'There is no such endpoint.', remedy: 'Check the path. All endpoints are below `/api/v1`.' },
  method_not_allowed: {
    meaning: 'The endpoint exists, but not with this method.',
    remedy: 'Use one of `allowed` (also in the `Allow` header).',
  },
  already_being_written: {
    meaning: 'The service is writing the article.',
    remedy: 'Wait until it is finished, then repeat the call.',
  },
  site_scan_running: {
    meaning: 'The project’s site is still being scanned, and keyword research needs the result. Nothing was started.',
    remedy: 'Repeat the call when `setup.site_scan` in `GET /projects/:id` is `completed` or `failed`.',
  },
  publish_in_progress: {
    meaning:
      'The article, or another article of its project, is being published now. This call sent and changed nothing.',
    remedy: 'Wait `retry_after` seconds, then read the article or repeat the call.',
  },
  sync_in_progress: {
    meaning: 'Another change of the published article is in progress. Nothing was saved or sent.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this Idempotency-Key was still running after 10 seconds.',
    remedy: 'Repeat the same request after `retry_after` seconds to get its response.',
  },
  delivery_in_progress: {
    meaning: 'The delivery has not ended yet.',
    remedy: 'Replay it when its status is `delivered` or `failed`.',
  },
  duplicate_post: {
    meaning:
      'The same text, link and files were sent to the same account in the last ten minutes, without an Idempotency-Key. `post_id` is the ID of that post. Nothing was sent.',
    remedy: 'If this is a repetition, do nothing. To post it twice, send `{"allow_duplicate": true}`.',
  },
  edit_conflict: {
    meaning: 'The same object was changed at the same time, or another active project has the website.',
    remedy: 'If `retryable` is true, read the object again and repeat the call. Otherwise, follow the message first.',
  },
  changed_since_staged: {
    meaning: 'The article was changed or taken down since the rewrite was made. The suggestion is superseded.',
    remedy: 'Look for suggestions again with `POST /suggestions/run`.',
  },
  superseded: {
    meaning: 'The content of the delivery is older than the content that readers see. Nothing was sent.',
    remedy:
      'Send the newest content with `POST /articles/:id/sync`. To restore the older content, replay with `{"force": true}`.',
  },
  scan_running: {
    meaning: 'An AI visibility scan of the project is running. Nothing was started, counted or paid.',
    remedy: 'Read `GET /ai-visibility` until `scanning` is false.',
  },
  no_prompts: {
    meaning:
      'The project has no AI visibility prompts, and its business description is too short to create some. Nothing was started.',
    remedy: 'Add one with `POST /ai-visibility/prompts`, or fill in `business_description` with `PUT /projects/:id`.',
  },
  endpoint_limit: {
    meaning: 'The account has ten event endpoints, the maximum. Nothing was added.',
    remedy: 'Delete one with `DELETE /event-endpoints/:id`, or change one with `PUT`.',
  },
  prompt_limit: {
    meaning: 'The maximum number of AI visibility prompts is active. Nothing was added.',
    remedy: 'Remove one with `DELETE /ai-visibility/prompts`, then add the new one.',
  },
  project_archived: {
    meaning: 'The project is archived, so nothing in it is published. Nothing was sent or saved.',
    remedy: 'Restore the project with `POST /projects/:id/unarchive`, then repeat the call.',
  },
  body_too_large: { meaning: 'The body is larger than allowed (`max_bytes`).', remedy: 'Send a smaller body.' },
  image_too_large: {
    meaning: 'The image is larger than 12 MB or has more than 100 million pixels.',
    remedy: 'Make it smaller. The response has `max_bytes` and `max_pixels`.',
  },
  video_too_large: {
    meaning: 'The video is larger than 64 MB. Nothing was saved.',
    remedy: 'Make it smaller. The response has `max_bytes`.',
  },
  unsupported_media: {
    meaning:
      'The bytes are not a complete image (JPG, PNG, WebP, GIF) or video (MP4, MOV). File names and declared types are ignored.',
    remedy: 'Send one of the formats in `allowed`.',
  },
  media_not_fetched: {
    meaning:
      'The URL did not return an image or video: another status, no response, too many redirects, or other bytes.',
    remedy:
      'If `retryable` is true, repeat the call later. Otherwise, open the URL yourself. Send another URL, or upload the file in a form.',
  },
  unsupported_image: {
    meaning: 'The bytes are not a complete JPG, PNG, WebP or GIF. File names and declared types are ignored.',
    remedy: 'Send one of the formats in `allowed`. SVG is not accepted because it can contain scripts.',
  },
  image_not_fetched: {
    meaning: 'The URL did not return an image: another status, no response, too many redirects, or other bytes.',
    remedy:
      'If `retryable` is true, repeat the call later. Otherwise, open the URL yourself. Send another URL, or the bytes as `image_base64`.',
  },
  unsupported_media_type: {
    meaning:
      'The body has a content type that the operation does not accept, or it is compressed. Except for files, the type is JSON.',
    remedy: 'Send one of the types in `allowed` as `Content-Type`, without `Content-Encoding`.',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was already used for another request: another body, path or query.',
    remedy: 'Use a new key for a new request. Use the same key only to repeat the same request.',
  },
  rate_limited: {
    meaning:
      'Too many requests per API key and operation, or per IP address. Or a daily limit is used up (AI visibility scans, screenshots).',
    remedy: 'Wait `retry_after` seconds (also in `Retry-After`).',
  },
  internal: {
    meaning: 'An internal error occurred.',
    remedy:
      'Repeat the call, with the same Idempotency-Key if you sent one. If the error persists, report the `request_id`.',
  },
  sync_failed: {
    meaning:
      'The site did not accept the update. See `message` and `upstream`. Edits in the call are saved (`saved`). The service sends an update only once.',
    remedy:
      'Fix the cause, then call `POST /articles/:id/sync` again. If the call with `saved: true` had an Idempotency-Key, use a new one. An empty body sends the saved article.',
  },
  unavailable: {
    meaning:
      'A part of the service does not respond. There are no partial changes. The message says whether it is certain that nothing was changed.',
    remedy: 'Repeat the call after `retry_after` seconds.',
  },
}
