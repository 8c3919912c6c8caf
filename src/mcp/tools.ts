import { CONTENT_TOOLS } from './content-tools.ts'
import { REACH_TOOLS } from './reach-tools.ts'
import type { ToolSpec } from './tool-spec.ts'

const PROJECT = { id: 'project_id' }
const OLDER_NAMES = [
  'internal_links',
  'extra_banned_phrases',
  'duplicate_content_guard_enabled',
  'competitor_websites',
  'wordpress_url',
]

/**
 * Tools of the hosted MCP server. A tool is left out if one of its operations does not exist.
 *
 * No tool deletes projects, articles or reviews.
 */
export const TOOLS: readonly ToolSpec[] = [
  {
    name: 'get_account',
    description: 'Returns the id, name and scope of your key, and this month’s use.',
    effect: 'reads',
    calls: 'GET /account',
    fixed: { include: ['key', 'usage'] },
    without: ['include'],
  },
  {
    name: 'list_projects',
    description: 'Lists the active projects (one per website), newest first. Start here.',
    effect: 'reads',
    calls: 'GET /projects',
    without: ['offset'],
  },
  {
    name: 'get_project',
    description: 'Returns a project with all its settings and article plans.',
    effect: 'reads',
    calls: 'GET /projects/:id',
    ids: PROJECT,
  },
  {
    name: 'create_project',
    description:
      'Creates a project for a website. Uses a paid project slot and spends no credits. Change other settings with update_project.',
    effect: 'adds',
    calls: 'POST /projects',
    only: ['website_url', 'business_name', 'business_description', 'ai_instructions'],
  },
  {
    name: 'update_project',
    description: 'Changes the settings that you send; "" clears a text, [] a list.',
    effect: 'changes',
    calls: 'PUT /projects/:id',
    ids: PROJECT,
    without: OLDER_NAMES,
    notes: { language: 'BCP 47', publish_time: 'HH:MM', timezone: 'IANA', brand_color: '#rrggbb' },
  },
  ...CONTENT_TOOLS,
  ...REACH_TOOLS,
]
