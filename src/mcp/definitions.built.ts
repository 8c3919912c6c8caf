import { GROUPS } from '../operations.ts'
import { servedTools } from './served.ts'
import { type ToolDefinition, toolDefinitions } from './tool-schemas.ts'

/** What `tools/list` tells of every tool that is built. */
export const DEFINITIONS: readonly ToolDefinition[] = toolDefinitions(servedTools(new Set(Object.keys(GROUPS))))
