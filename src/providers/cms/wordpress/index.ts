import type { Cms } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import type { CmsDeps } from '../http.ts'
import { coreCms } from './core.ts'
import { pluginCms } from './plugin.ts'

/** Returns the adapter of a WordPress site: core REST if a user name is stored (application password), else our plugin. */
export const wordpressCms = (connection: Connection, deps: CmsDeps): Cms =>
  hidingSecrets(connection.secrets.cms_username ? coreCms(connection, deps) : pluginCms(connection, deps), [
    connection.secrets.integration_key,
  ])
