import { type SQL, sql } from 'drizzle-orm'
import { PLAN_INCLUDES } from '../accounts/plans.ts'
import { findSlug, freshArticle, slugTaken } from '../articles/slugs.ts'
import type { Ctx } from '../runtime/ctx.ts'
