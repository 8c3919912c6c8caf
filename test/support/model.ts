import { type RunningModel, startModel } from '../../local/llm/server.ts'

const KEY = 'local-model-key'

/** A stand-in of a language model, and the settings of a stack that has it write. */
export type WriterModel = RunningModel & { vars: Record<string, string> }

export const startWriterModel = async (): Promise<WriterModel> => {
  const model = await startModel(KEY)
  const vars = {
    WRITER_PROVIDER: 'openai-compatible',
    WRITER_BASE_URL: model.baseUrl,
    WRITER_API_KEY: KEY,
    WRITER_MODEL: 'stand-in',
  }
  return { ...model, vars }
}
