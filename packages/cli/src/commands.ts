import { commandsOf } from './operation.ts'
import { ROWS, SHARED } from './operations.generated.ts'

/** Every operation as a command. */
export const COMMANDS = commandsOf(ROWS, SHARED)
