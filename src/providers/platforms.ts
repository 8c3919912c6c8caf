import type { CmsPlatform } from '../../schema/values/publishing.ts'
import type { Cms } from '../publishing/target/cms-adapter.ts'
import type { Connection } from '../publishing/target/publish-target.ts'
import { directusCms } from './cms/directus/index.ts'
import { framerCms } from './cms/framer/index.ts'
import { ghostCms } from './cms/ghost/index.ts'
import { gitCms } from './cms/git/index.ts'
import type { CmsDeps } from './cms/http.ts'
import { notionCms } from './cms/notion/index.ts'
import { shopifyCms } from './cms/shopify/index.ts'
import { strapiCms } from './cms/strapi/index.ts'
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
  directus: directusCms,
  strapi: strapiCms,
  wix: wixCms,
  notion: notionCms,
  gohighlevel: gohighlevelCms,
  framer: framerCms,
  git: gitCms,
} satisfies Record<CmsPlatform, Adapter>
