import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'

/** Passes a request unchanged to `target` (an origin), and its answer back. */
export const pass = (req: IncomingMessage, res: ServerResponse, target: string): void => {
  const onward = forward(`${target}${req.url}`, { method: req.method, headers: req.headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => res.destroy())
    answer.pipe(res)
  })
  onward.on('error', () => res.destroy())
  res.on('close', () => onward.destroy())
  req.pipe(onward)
}
