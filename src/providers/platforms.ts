import type { CmsPlatform } from '../../schema/values/publishing.ts'
import type { Cms } from '../publishing/target/cms-adapter.ts'
import type { Connection } from '../publishing/target/publish-target.ts'
import { framerCms } from './cms/framer/index.ts'
import { ghostCms } from './cms/ghost/index.ts'
import type { CmsDeps } from './cms/http.ts'
import { notionCms } from './cms/notion/index.ts'
import { shopifyCms } from './cms/shopify/index.ts'
import { webflowCms } from './cms/webflow/index.ts'
import { wixCms } from './cms/wix/index.ts'
import { wordpressCms } from './cms/wordpress/index.ts'
import { gohighlevelCms } from './gohighlevel/index.ts'

type Adapter = (connection: Connection, deps: CmsDeps) => Cms

/** Adapters by CMS. */
export const CMS_ADAPTERS: Readonly<Record<string, Adapter>> = {
  wordpress: wordpressCms,
  webflow: webflowCms,
  shopify: shopifyCms,
  ghost: ghostCms,
  wix: wixCms,
  notion: notionCms,
  gohighlevel: gohighlevelCms,
  framer: framerCms,
} satisfies Record<CmsPlatform, Adapter>
