import type { PublishingPlatform } from '../../schema/values/publishing.ts'
import type { ConnectionForms } from '../publishing/target/publish-target.ts'
import { framerConnection } from './cms/framer/connect.ts'
import { ghostConnection } from './cms/ghost/connect.ts'
import { notionConnection } from './cms/notion/connect.ts'
import { shopifyConnection } from './cms/shopify/connect.ts'
import { webflowConnection } from './cms/webflow/connect.ts'
import { webhookForm } from './cms/webhook/connect.ts'
import { wixConnection } from './cms/wix/connect.ts'
import { wordpressConnection } from './cms/wordpress/connect.ts'
import { gohighlevelConnection } from './gohighlevel/connect.ts'

/** Form for connecting each platform. */
export const connectionForms: ConnectionForms = {
  webhook: webhookForm,
  wordpress: wordpressConnection,
  webflow: webflowConnection,
  shopify: shopifyConnection,
  ghost: ghostConnection,
  wix: wixConnection,
  notion: notionConnection,
  gohighlevel: gohighlevelConnection,
  framer: framerConnection,
} satisfies Record<PublishingPlatform, ConnectionForms[string]>
