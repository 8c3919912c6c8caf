import { conduct } from '../../providers/cms/wordpress/conduct.ts'
import { realSite } from './site.ts'

conduct(async () => realSite())
