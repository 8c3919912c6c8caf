import { OPERATIONS } from '../../../src/operations.ts'
import type { Operation } from '../../../src/platform/http/operation.ts'

/** Request of an operation. The scene (`test/docs/scene.ts`) provides the values in braces. */
export type Example = {
  /** The path below `/api/v1`, with its query. */
  path: string
  body?: Readonly<Record<string, unknown>>
}

const WORDS =
  '<h2>Level the ground</h2><p>A shed needs a level base: <a href="https://www.hse.gov.uk/">gravel or slabs</a> keep it dry.</p>'

/** Examples in the order in which they are run. */
const WRITTEN: Readonly<Record<string, Example>> = {
  'projects.list': { path: '/projects?limit=1' },
  'projects.create': {
    path: '/projects',
    body: {
      website_url: 'https://www.my-bakery.example',
      business_name: 'My Bakery',
      target_audience: ['people who bake at home'],
      tone: 'Conversational',
      timezone: 'Europe/Paris',
      publish_time: '09:00',
      competitors: ['other-bakery.example'],
    },
  },
  'projects.get': { path: '/projects/{project}' },
  'policy.get': { path: '/projects/{project}/policy' },
  'projects.update': {
    path: '/projects/{project}',
    body: { tone: 'Persuasive', internal_links_per_article: 4, articles_per_day: 2 },
  },
  'projects.article_plan': { path: '/projects/{project}/article-plan', body: { plan: 30 } },
  'projects.scan': { path: '/projects/{project}/scan' },
  'projects.onboarding': { path: '/projects/{project_onboarding}/onboarding' },
  'projects.archive': { path: '/projects/{project_archived}/archive' },
  'projects.unarchive': { path: '/projects/{project_archived}/unarchive' },
  'account.get': { path: '/account' },
  'business_context.get': { path: '/business-context?project_id={project}' },
  'calls.plan': {
    path: '/plan',
    body: {
      calls: [
        { method: 'POST', path: '/articles/{article_ready}/publish' },
        {
          operation: 'articles.generate',
          body: {
            project_id: '{project}',
            keyword: 'shed roof felt',
            source_content: 'Felt lasts ten years. Lay it from the eaves up. Overlap by 100 mm.',
          },
        },
      ],
    },
  },
  'keys.create': { path: '/keys', body: { name: 'Reports', scope: 'read', expires_at: '2031-01-01' } },
  'keys.delete': { path: '/keys/{key}' },
  'invitations.create': {
    path: '/invitations',
    body: { email: 'kim@example.com', role: 'editor', project_id: '{project}' },
  },
  'exports.create': { path: '/exports' },
  'projects.export': { path: '/projects/{project}/export' },
  'exports.get': { path: '/exports/{export}' },
  'exports.archive': { path: '/exports/{export}/archive' },
  'projects.import': { path: '/projects/import', body: { export_id: '{export}' } },
  'imports.get': { path: '/imports/{import}' },
  undo: { path: '/undo', body: { key_id: '{key_agent}', since: '2026-01-01', dry_run: true } },
  'approvals.list': { path: '/approvals?status=awaiting' },
  'approvals.get': { path: '/approvals/{approval}' },
  'events.list': { path: '/events?limit=2' },
  'event_endpoints.create': {
    path: '/event-endpoints',
    body: {
      url: 'https://automation.example/galley',
      kinds: ['article', 'approval.requested'],
      project_id: '{project}',
    },
  },
  'event_endpoints.list': { path: '/event-endpoints' },
  'event_endpoints.get': { path: '/event-endpoints/{endpoint}' },
  'event_endpoints.update': { path: '/event-endpoints/{endpoint}', body: { description: 'Tells the team' } },
  'event_endpoints.test': { path: '/event-endpoints/{endpoint}/test' },
  'event_endpoints.rotate_secret': { path: '/event-endpoints/{endpoint}/rotate-secret' },
  'event_endpoints.attempts': { path: '/event-endpoints/{endpoint}/attempts?limit=1' },
  'event_endpoints.replay': { path: '/event-endpoints/{endpoint}/replay', body: { after: 2000000000 } },
  'event_endpoints.resume': { path: '/event-endpoints/{endpoint}/resume' },
  'event_endpoints.delete': { path: '/event-endpoints/{endpoint_old}' },
  'audit_log.list': { path: '/audit-log?action=project.archive' },

  'articles.list': { path: '/articles?project_id={project}&status=Planned,Published&limit=1' },
  'articles.create': {
    path: '/articles',
    body: {
      project_id: '{project}',
      keyword: 'garden shed base',
      title: 'A Garden Shed Base That Stays Dry',
      content: WORDS,
      status: 'Planned',
      scheduled_date: '2030-06-07T09:00',
      tags: ['sheds'],
    },
  },
  overview: { path: '/overview?limit=3' },
  'articles.batch': {
    path: '/articles/batch',
    body: {
      project_id: '{project}',
      articles: [
        { keyword: 'shed door', title: 'A Shed Door That Closes', content: WORDS, external_ref: 'posts/shed-door.md' },
        { keyword: 'shed window', title: 'Windows for a Shed', external_ref: 'posts/shed-window.md' },
      ],
    },
  },
  'articles.batch_results': { path: '/articles/batches/{batch}' },
  'articles.receipt': { path: '/articles/{article_live}/receipt.json' },
  'articles.get': { path: '/articles/{article_live}' },
  'articles.plan': { path: '/projects/{project}/article-plan' },
  'articles.brief': { path: '/articles/{article_planned}/brief' },
  'articles.update': {
    path: '/articles/{article}',
    body: { title: 'Which Wood for a Garden Shed', scheduled_date: '2030-06-14', status: 'Planned' },
  },
  'articles.revisions': { path: '/articles/{article}/revisions' },
  'articles.revision': { path: '/articles/{article}/revisions/1' },
  'articles.structured_data': { path: '/articles/{article}/structured-data' },
  'articles.restore': { path: '/articles/{article}/revisions/1/restore', body: { sync: false } },
  'articles.delete': { path: '/articles/{article_unwanted}' },
  'articles.generate': {
    path: '/articles/generate',
    body: {
      project_id: '{project}',
      keyword: 'shed roof felt',
      source_content: 'Felt lasts ten years. Lay it from the eaves up. Overlap by 100 mm.',
      article_style: 'How-To',
    },
  },
  'articles.publish': { path: '/articles/{article_ready}/publish' },
  'deliveries.list': { path: '/webhook-deliveries?project_id={project}&article_id={article_live}' },
  'deliveries.get': { path: '/webhook-deliveries/{delivery}' },
  'deliveries.replay': { path: '/webhook-deliveries/{delivery}/replay', body: { force: true } },
  'articles.sync': {
    path: '/articles/{article_live}/sync',
    body: { meta_description: 'What a shed’s floor is made of, and what keeps it dry for twenty years.' },
  },
  'articles.rollback': { path: '/articles/{article_ghost}/rollback', body: { version_id: '{version}' } },
  'articles.unpublish': { path: '/articles/{article_ghost}/unpublish' },
  'articles.address': { path: '/articles/{article_lost}/address', body: { url: '{receiver}/posts/a-ramp-for-a-shed' } },
  'articles.detach': { path: '/articles/{article_lost}/detach' },
  'site_posts.list': { path: '/projects/{project_ghost}/site-posts' },
  'articles.adopt': { path: '/articles/adopt', body: { project_id: '{project_ghost}', post_id: '{site_post}' } },
  'projects.adoption': { path: '/projects/{project_ghost}/adoption' },
  'projects.adopt': { path: '/projects/{project_ghost}/adopt', body: { post_ids: ['{site_post}'] } },
  'projects.move': { path: '/projects/{project_ghost}/move', body: { website_url: 'https://new-oak-garden.example' } },
  'projects.show_move': { path: '/projects/{project_ghost}/move' },
  'articles.translation': {
    path: '/articles/{article_live}/translation',
    body: { translation_of: '{article_lost}', language: 'fr' },
  },
  'articles.translations': { path: '/articles/{article_live}/translations' },
  'articles.leave_translations': { path: '/articles/{article_live}/translation' },
  'articles.release': { path: '/articles/{article_adopted}/release' },
  'statements.create': {
    path: '/statements',
    body: { project_id: '{project}', name: 'How long a floor lasts', wording: 'A floor of larch lasts twenty years' },
  },
  'statements.list': { path: '/statements?project_id={project}' },
  'statements.show': { path: '/statements/{statement}' },
  'statements.uses': { path: '/statements/{statement}/uses?match=exact' },
  'statements.change': { path: '/statements/{statement}/change', body: { wording: 'Everything about a shed floor' } },
  'statements.delete': { path: '/statements/{statement_old}' },
  'changes.create': {
    path: '/changes',
    body: {
      project_id: '{project}',
      name: 'Say how long a floor lasts',
      changes: [
        { article_id: '{article_live}', meta_description: 'What a shed’s floor is made of, and why it lasts.' },
      ],
    },
  },
  'changes.list': { path: '/projects/{project}/changes' },
  'changes.show': { path: '/changes/{change_set}' },
  'changes.release': { path: '/changes/{change_set}/release', body: { skip_refused: false } },
  'changes.revert': { path: '/changes/{change_set_released}/revert' },
  'projects.cms_site': {
    path: '/projects/{project_wordpress}/cms-site',
    body: { cms_url: '{wordpress}', integration_key: '{plugin_key}' },
  },
  'integrations.list': { path: '/integrations?project_id={project}' },
  'integrations.catalog': { path: '/integrations/catalog?project_id={project}&category=developer' },
  'integrations.how_to_connect': { path: '/integrations/connect?project_id={project}&integration=ghost' },
  'integrations.schema': { path: '/integrations/{integration_headless}/schema' },
  'integrations.get': { path: '/integrations/{integration}' },
  'integrations.update': {
    path: '/integrations/{integration}',
    body: { name: 'Our blog', rotate_signing_secret: true },
  },
  'engines.show': { path: '/projects/{project}/search-engines' },
  'engines.verify': { path: '/projects/{project}/search-engines/verify', body: { new_key: false } },
  'integrations.test': { path: '/integrations/{integration}/test', body: { sample: true } },
  'integrations.connect': {
    path: '/projects/{project_onboarding}/integrations',
    body: { platform: 'webhook', url: 'https://blog.example/webhook', access_token: 'a-token-of-your-choice' },
  },
  'targets.list': { path: '/projects/{project}/targets' },
  'targets.add': {
    path: '/projects/{project}/targets',
    body: { platform: 'webhook', url: 'https://mirror.example/webhook', access_token: 'a-token-of-your-choice' },
  },
  'targets.delete': { path: '/projects/{project}/targets/{target}' },
  'articles.copies': { path: '/articles/{article_live}/copies' },
  'integrations.delete': { path: '/integrations/{integration_old}' },

  'images.create': {
    path: '/images',
    body: { image_base64: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
  },
  'social.media': {
    path: '/social/media',
    body: { project_id: '{project}', media_url: '{receiver}/images/chain-wear-ruler.webp' },
  },
  'screenshots.take': { path: '/screenshots', body: { url: 'https://garden-sheds.example/', name: 'Garden Sheds' } },
  'screenshots.get': { path: '/screenshots/{screenshot}' },

  'research.internal_links': { path: '/internal-links?project_id={project}&keyword=shed+floor' },
  'backlinks.targets': { path: '/backlink-targets?project_id={project_exchange}&keyword=timber' },
  'backlinks.list': { path: '/backlinks?project_id={project_exchange}' },
  'backlinks.status': { path: '/backlinks/status?project_id={project_exchange}' },
  'backlinks.ledger': { path: '/backlinks/ledger?project_id={project_exchange}' },
  'keywords.search': { path: '/keywords/search', body: { keyword: 'garden shed', project_id: '{project}', limit: 2 } },
  'provider_keys.save': {
    path: '/provider-keys/dataforseo',
    body: { login: 'me@shop.example', password: 'sandbox-password' },
  },
  'provider_keys.list': { path: '/provider-keys' },
  'provider_keys.delete': { path: '/provider-keys/dataforseo' },

  'social.accounts': { path: '/social/accounts?project_id={project}' },
  'social.connect': { path: '/social/accounts', body: { project_id: '{project}', platform: 'linkedin' } },
  'social.publish': {
    path: '/social/publish',
    body: {
      project_id: '{project}',
      platforms: ['x'],
      content: 'A level base keeps a shed dry.',
      link: 'https://garden-sheds.example/base',
      scheduled_for: '2030-06-07T09:00',
    },
  },
  'social.posts': { path: '/social/posts?project_id={project}&status=draft&limit=1' },
  'social.post': { path: '/social/posts/{post_draft}' },
  'social.comment_for_guide': {
    path: '/social/posts/{post_draft}/comment-for-guide',
    body: {
      is_comment_for_guide: true,
      comment_for_guide_config: {
        trigger_keyword: 'GUIDE',
        delivery_method: 'public_reply',
        delivery_url: 'https://garden-sheds.example/guide',
        custom_message: 'Here it is: {url}',
      },
    },
  },
  'social.publish_post': { path: '/social/posts/{post}/publish', body: { scheduled_for: '2030-06-07T09:00' } },
  'social.delete_post': { path: '/social/posts/{post_unwanted}' },
  'social.disconnect': { path: '/social/accounts/{account_direct}' },
  'profile.status': { path: '/profile/status?project_id={project}' },
  'profile.reviews': { path: '/profile/reviews?project_id={project}&has_reply=false&limit=1' },
  'profile.reply': {
    path: '/profile/reviews/reply',
    body: { project_id: '{project}', review_id: '{review}', message: 'Thank you! We are glad the shed stays dry.' },
  },
  'profile.remove_reply': {
    path: '/profile/reviews/reply',
    body: { project_id: '{project}', review_id: '{review}' },
  },
  'profile.post': { path: '/profile/posts', body: { project_id: '{project}', summary: 'Open on Sunday from ten.' } },
  'profile.analytics': { path: '/profile/analytics?project_id={project}&days=2' },
  'crowdwork.create': {
    path: '/crowdwork/campaigns',
    body: {
      project_id: '{project}',
      title: 'Find our shed guide',
      description: 'Search for “shed base”, open our page and say what its first heading is.',
      template_html: '<p>What is the first heading?</p><input name="heading">',
      available_positions: 20,
      payment_per_task: 0.2,
    },
  },
  'crowdwork.register': {
    path: '/crowdwork/campaigns/register',
    body: { campaign_id: '{campaign_elsewhere}', project_id: '{project}' },
  },
  'crowdwork.list': { path: '/crowdwork/campaigns?project_id={project}&limit=1' },
  'crowdwork.get': { path: '/crowdwork/campaigns/{campaign}' },
  'crowdwork.slots': { path: '/crowdwork/campaigns/{campaign}/slots?status=NOTRATED' },
  'crowdwork.proofs': { path: '/crowdwork/campaigns/{campaign}/proofs' },
  'crowdwork.rate': {
    path: '/crowdwork/slots/{slot}/rate',
    body: { campaign_id: '{campaign}', rating: 'REVISE', comment: 'Please write the whole heading.' },
  },
  'crowdwork.spend': { path: '/crowdwork/spend?project_id={project}' },
  'outreach.entitlement': { path: '/outreach/entitlement' },
  'outreach.sync': {
    path: '/outreach/sync',
    body: {
      since: 'run-18',
      persons: [
        {
          id: 'p1',
          full_name: 'Jo Moss',
          email: 'jo@moss.example',
          updated_at: '2026-11-20T09:00:00Z',
          source: 'fair',
        },
      ],
      leads: [{ id: 'l1', person_id: 'p1', stage: 'contacted', updated_at: '2026-11-20T09:00:00Z' }],
      suppressions: [{ id: 's1', kind: 'domain', value: 'shy.example' }],
    },
  },
  'outreach.export': { path: '/outreach/export' },
  'outreach.erase': { path: '/outreach/erase', body: { id: 'p1' } },

  'suggestions.run': { path: '/suggestions/run', body: { project_id: '{project_suggestions}' } },
  'care.report': { path: '/projects/{project}/care?rule=no_description&limit=1' },
  'suggestions.list': { path: '/suggestions?project_id={project_suggestions}&status=pending&limit=1' },
  'suggestions.get': { path: '/suggestions/{suggestion_ready}' },
  'suggestions.diff': { path: '/suggestions/{suggestion_ready}/diff' },
  'suggestions.approve': { path: '/suggestions/{suggestion_pending}/approve' },
  'suggestions.reject': {
    path: '/suggestions/{suggestion_unwanted}/reject',
    body: { reason: 'The page is about something else.' },
  },
  'suggestions.publish': { path: '/suggestions/{suggestion_ready}/publish' },
  'suggestions.effects': { path: '/suggestions/effects?project_id={project_suggestions}' },
  'suggestions.regenerate': {
    path: '/suggestions/{suggestion_again}/regenerate',
    body: { feedback: 'Keep the title as it is.' },
  },

  'visibility.get': { path: '/ai-visibility?project_id={project_visibility}' },
  'visibility.answers': { path: '/ai-visibility/answers?project_id={project_visibility}&limit=1' },
  'visibility.scans': { path: '/ai-visibility/scans?project_id={project_visibility}' },
  'visibility.prompts.add': {
    path: '/ai-visibility/prompts',
    body: { project_id: '{project_visibility}', prompt: 'Who sells the best garden sheds?' },
  },
  'visibility.prompts.remove': {
    path: '/ai-visibility/prompts',
    body: { project_id: '{project_visibility}', prompt: 'Who sells the best garden sheds?' },
  },
  'visibility.scan': { path: '/ai-visibility/scan', body: { project_id: '{project_visibility}', samples: 1 } },
  'visibility.bing.import': {
    path: '/ai-visibility/bing',
    body: {
      project_id: '{project_visibility}',
      file: 'Grounding Query,Citations\nbest garden shed base,38\nshed planning permission,20\n',
      from: '2026-10-01',
      to: '2026-10-31',
    },
  },
  'visibility.bing': { path: '/ai-visibility/bing?project_id={project_visibility}' },
  'search.performance': { path: '/search-console?project_id={project_search}&limit=1' },
  'search.history': { path: '/search-console/history?project_id={project_search}&days=5' },
  'search.standing': { path: '/projects/{project_search}/search-console' },
  'search.choose_property': {
    path: '/projects/{project_search}/search-console',
    body: { property: 'sc-domain:oak-sheds.example' },
  },
  'articles.inspect': { path: '/articles/{article_searched}/inspect' },
  'crawlers.report': { path: '/projects/{project}/crawlers?article_id={article_live}' },
  traffic: { path: '/traffic?project_id={project}&days=7' },
  'articles.traffic': { path: '/articles/{article_live}/traffic?days=7' },
  'reports.make': { path: '/projects/{project}/reports', body: {} },
  'reports.list': { path: '/projects/{project}/reports' },
  'search.indexing': { path: '/projects/{project_search}/indexing' },
  'search.connect': { path: '/projects/{project_search}/search-console/connect' },
  'search.disconnect': { path: '/projects/{project_search}/search-console' },
}

/** True if an operation can be called by its path alone. */
const isWhole = (op: Operation): boolean =>
  !op.path.includes(':') && op.json === undefined && (op.query?.safeParse({}).success ?? true)

/** Examples by operation: those written above, and the bare path of operations that need no input. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...WRITTEN,
  ...Object.fromEntries(
    OPERATIONS.filter((op) => !(op.id in WRITTEN) && isWhole(op)).map(({ id, path }) => [id, { path }]),
  ),
}
