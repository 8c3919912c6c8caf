import { createHash } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'

type Message = { message_id: number; text?: string; caption?: string; media: string[]; uploads: Upload[] }

/** File of a request, as it arrived. */
type Upload = { name: string; filename: string; type: string; bytes: number; sha256: string }

export type RunningTelegram = StandIn & { messages: Message[] }

type Options = {
  token: string
  port?: number
  mayPost?: () => boolean
  /** Number of the chat since it became a supergroup. Messages to the old number are refused. */
  movedTo?: number
}

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

const MAX_PHOTO = 10 * 1_024 * 1_024
const MAX_FILE = 50 * 1_024 * 1_024

/** Returns the fields of a form, as a JSON body would have them, and its files. Undefined if the body is not a form. */
const formIn = async (raw: Buffer, contentType: string): Promise<{ body: Body; uploads: Upload[] } | undefined> => {
  if (!contentType.startsWith('multipart/form-data')) return undefined
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData()
  const fields: Record<string, unknown> = {}
  const uploads: Upload[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = name === 'media' ? JSON.parse(value) : value
    else {
      const sha256 = createHash('sha256')
        .update(await value.bytes())
        .digest('hex')
      uploads.push({ name, filename: value.name, type: value.type, bytes: value.size, sha256 })
    }
  }
  return { body: fields as Body, uploads }
}

/** Starts a stand-in of Telegram's Bot API on 127.0.0.1 with one bot and one channel, whose administrator the bot is. */
export const startTelegram = async ({
  token,
  port,
  mayPost = () => true,
  movedTo,
}: Options): Promise<RunningTelegram> => {
  const messages: Message[] = []

  const send = ({ text, caption, photo, video, media }: Body, uploads: Upload[]): Answer => {
    const words = text ?? caption ?? media?.[0]?.caption ?? ''
    const files = media?.map((file) => file.media) ?? [photo, video].filter((url) => url !== undefined)
    if (files.length === 0 && words === '') return fault(400, 'Bad Request: message text is empty')
    const attached = files.flatMap((file) => (file.startsWith('attach://') ? [file.slice('attach://'.length)] : []))
    if (attached.some((name) => !uploads.some((upload) => upload.name === name)))
      return fault(400, 'Bad Request: wrong file identifier/HTTP URL specified')
    if (uploads.some(({ type, bytes }) => bytes > (type.startsWith('image/') ? MAX_PHOTO : MAX_FILE)))
      return fault(413, 'Request Entity Too Large')
    if (words.length > (files.length === 0 ? 4_096 : 1_024))
      return fault(
        400,
        files.length === 0 ? 'Bad Request: message is too long' : 'Bad Request: message caption is too long',
      )
    const message: Message = {
      message_id: messages.length + 1,
      ...(files.length === 0 ? { text: words } : { caption: words }),
      media: files,
      uploads,
    }
    messages.push(message)
    const { uploads: _, ...told } = message
    const shown = { ...told, date: Math.floor(Date.now() / 1_000), chat: CHANNEL }
    return ok(media ? [shown] : shown)
  }

  const standIn = await startStandIn({
    ...(port === undefined ? {} : { port }),
    posts: () => messages,
    answer: async ({ path, body, raw, headers }) => {
      const [, bot = '', method = ''] = path.split('/')
      if (bot !== `bot${token}`) return fault(401, 'Unauthorized')
      const form = await formIn(raw, headers['content-type'] ?? '')
      const given = form?.body ?? ((body ?? {}) as Body)
      if (method === 'getMe') return ok({ id: 42, is_bot: true, first_name: 'Sample', username: 'sample_bot' })
      const isOld = given.chat_id === `@${CHANNEL.username}` || String(given.chat_id) === String(CHANNEL.id)
      if (isOld && movedTo !== undefined)
        return fault(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: movedTo })
      if (!isOld && String(given.chat_id) !== String(movedTo)) return fault(400, 'Bad Request: chat not found')
      if (method === 'getChat') return ok(CHANNEL)
      if (method === 'getChatMember') return ok({ status: 'administrator', can_post_messages: mayPost() })
      if (/^send(Message|Photo|Video|MediaGroup)$/.test(method)) return send(given, form?.uploads ?? [])
      return fault(404, 'Not Found')
    },
  })
  return { ...standIn, messages }
}
