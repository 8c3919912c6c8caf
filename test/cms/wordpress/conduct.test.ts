import { conduct } from '../../providers/wordpress/conduct.ts'
import { realSite } from './site.ts'

conduct(async () => realSite())
