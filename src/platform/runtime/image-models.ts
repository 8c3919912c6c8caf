/** Request format for a picture. */
export type ImageInput = 'sized' | 'plain' | 'form'

/** Image models of Workers AI that can be set, as of 2026-11-25 (https://developers.cloudflare.com/workers-ai/models/). */
export const WORKERS_AI_IMAGES: Readonly<Record<string, ImageInput>> = {
  '@cf/black-forest-labs/flux-2-klein-9b': 'form',
  '@cf/black-forest-labs/flux-2-klein-4b': 'form',
  '@cf/black-forest-labs/flux-2-dev': 'form',
  '@cf/black-forest-labs/flux-1-schnell': 'plain',
  '@cf/leonardo/lucid-origin': 'sized',
  '@cf/stabilityai/stable-diffusion-xl-base-1.0': 'sized',
  '@cf/bytedance/stable-diffusion-xl-lightning': 'sized',
  '@cf/lykon/dreamshaper-8-lcm': 'sized',
}
