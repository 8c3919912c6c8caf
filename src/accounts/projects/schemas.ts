import * as z from 'zod/mini'
import { ARTICLE_PLANS } from '../../../schema/values/projects.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { intParam, noBlanks } from '../../platform/lib/fields.ts'
import { settingFields } from './settings.ts'

const websiteUrl = z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000), noBlanks())

/** Body of `POST /projects`. Unknown fields are kept, to be named in `ignored`. */
export const CreateProject = z.looseObject({ website_url: websiteUrl, ...settingFields() })

/** Body of `PUT /projects/:id`. */
export const UpdateProject = z.looseObject(settingFields())

export const ListProjects = z.object(pagingParams())

export const ProjectQuery = z.object({ project_id: intParam(1) })

/** Body of `POST /projects/:id/article-plan`. */
export const ChooseArticlePlan = z.object({ plan: z.literal([...ARTICLE_PLANS]) })

export type ArticlePlan = (typeof ARTICLE_PLANS)[number]
export type CreateProjectInput = { website_url: string } & Record<string, unknown>
export type UpdateProjectInput = Record<string, unknown>
