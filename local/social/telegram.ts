import { type StandIn, startStandIn } from '../cms/stand-in.ts'
import { type Answer, json } from '../receiver/answers.ts'

type Message = { message_id: number; text?: string; caption?: string; media: string[] }

export type RunningTelegram = StandIn & { messages: Message[] }

type Options = { token: string; port?: number; mayPost?: () => boolean }

const CHANNEL = { id: -1_001_234_567_890, type: 'channel', title: 'Sample channel', username: 'sample_channel' }

const fault = (code: number, description: string, parameters?: object): Answer =>
  json(code, { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) })

const ok = (result: unknown): Answer => json(200, { ok: true, result })

type Body = {
  chat_id?: unknown
  text?: string
  caption?: string
  photo?: string
  video?: string
  media?: { media: string; caption?: string }[]
}

/** Starts a stand-in of Telegram's Bot API on 127.0.0.1 with one bot and one channel, whose administrator the bot is. */
export const startTelegram = async ({ token, port, mayPost = () => true }: Options): Promise<RunningTelegram> => {
  const messages: Message[] = []

  const send = ({ text, caption, photo, video, media }: Body): Answer => {
    const words = text ?? caption ?? media?.[0]?.caption ?? ''
    const files = media?.map((file) => file.media) ?? [photo, video].filter((url) => url !== undefined)
    if (files.length === 0 && words === '') return fault(400, 'Bad Request: message text is empty')
    if (words.length > (files.length === 0 ? 4_096 : 1_024))
      return fault(
        400,
        files.length === 0 ? 'Bad Request: message is too long' : 'Bad Request: message caption is too long',
      )
    const message: Message = {
      message_id: messages.length + 1,
      ...(files.length === 0 ? { text: words } : { caption: words }),
      media: files,
    }
    messages.push(message)
    const shown = { ...message, date: Math.floor(Date.now() / 1_000), chat: CHANNEL }
    return ok(media ? [shown] : shown)
  }

  const standIn = await startStandIn({
    ...(port === undefined ? {} : { port }),
    posts: () => messages,
    answer: ({ path, body }) => {
      const [, bot = '', method = ''] = path.split('/')
      if (bot !== `bot${token}`) return fault(401, 'Unauthorized')
      const given = (body ?? {}) as Body
      if (method === 'getMe') return ok({ id: 42, is_bot: true, first_name: 'Sample', username: 'sample_bot' })
      if (given.chat_id !== `@${CHANNEL.username}` && String(given.chat_id) !== String(CHANNEL.id))
        return fault(400, 'Bad Request: chat not found')
      if (method === 'getChat') return ok(CHANNEL)
      if (method === 'getChatMember') return ok({ status: 'administrator', can_post_messages: mayPost() })
      if (/^send(Message|Photo|Video|MediaGroup)$/.test(method)) return send(given)
      return fault(404, 'Not Found')
    },
  })
  return { ...standIn, messages }
}
