import type { ConnectionForms } from '../publishing/target/publish-target.ts'
import { framerConnection } from './framer/connect.ts'
import { ghostConnection } from './ghost/connect.ts'
import { gohighlevelConnection } from './gohighlevel/connect.ts'
import { notionConnection } from './notion/connect.ts'
import { shopifyConnection } from './shopify/connect.ts'
import { webflowConnection } from './webflow/connect.ts'
import { webhookForm } from './webhook/connect.ts'
import { wixConnection } from './wix/connect.ts'
import { wordpressConnection } from './wordpress/connect.ts'

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
}
