import type { Cms } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import type { CmsDeps } from '../http.ts'
import { coreCms } from './core.ts'
import { pluginCms } from './plugin.ts'

/** Returns a WordPress site: through core REST where a user name is stored (application password), else through our plugin. */
export const wordpressCms = (connection: Connection, deps: CmsDeps): Cms =>
  hidingSecrets(connection.secrets.cms_username ? coreCms(connection, deps) : pluginCms(connection, deps), [
    connection.secrets.integration_key,
  ])
