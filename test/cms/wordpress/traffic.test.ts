import { afterAll, beforeAll, expect, test } from 'vitest'
import { ASSISTANTS } from '../../../schema/values/traffic.ts'
import { COUNTED_AGENTS } from '../../../src/insights/traffic/rules.ts'
import { openScene, type Scene } from '../../providers/cms/wordpress/scene.ts'
import { need, php, realSite } from './site.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene(realSite())
  // The plugin counts from the day after its first request. Yesterday gets today's counts below.
  php(need('WORDPRESS_DIR'), "update_option('galley_traffic_since', gmdate('Y-m-d', time() - 3 * DAY_IN_SECONDS));")
})
afterAll(() => {
  php(need('WORDPRESS_DIR'), "delete_option('galley_traffic_since');")
  return scene.close()
})

const DAY_MS = 86_400_000
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot'

const rest = async (path: string, init: RequestInit = {}) => {
  const headers = { 'content-type': 'application/json', 'x-galley-key': scene.site.pluginKey, ...init.headers }
  const response = await fetch(`${scene.site.url}/wp-json/galley/v1/${path}`, { ...init, headers })
  const text = await response.text()
  return { status: response.status, json: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}

/** Sends a visit as the script in the page does. */
const visit = async (post: number, assistant: string, agent = READER) =>
  (
    await fetch(`${scene.site.url}/wp-json/galley/v1/visits`, {
      method: 'POST',
      headers: { 'user-agent': agent },
      body: new URLSearchParams({ post: String(post), assistant }),
    })
  ).status

const published = async (slug: string, status = 'publish') => {
  const json = { title: 'Counted', slug, content: '<p>x</p>', status }
  const saved = await rest(`articles/${slug}`, { method: 'PUT', body: JSON.stringify(json) })
  expect(saved.status).toBe(201)
  return Number(saved.json?.id)
}

const open = async (slug: string, agent: string, method = 'GET') =>
  await (await fetch(`${scene.site.url}/${slug}/`, { method, headers: { 'user-agent': agent } })).text()

/** Moves what was counted today to yesterday, which is over. */
const endDay = () =>
  php(
    need('WORDPRESS_DIR'),
    '$wpdb->query($wpdb->prepare("update {$wpdb->prefix}galley_traffic set day = %s where day = %s", $argv[1], gmdate(\'Y-m-d\')));',
    ago(1),
  )

test('the plugin knows the assistants and agents that the service knows', () => {
  const code = 'echo wp_json_encode([array_keys(Galley_Traffic::ASSISTANTS), Galley_Traffic::AGENTS]);'
  expect(JSON.parse(php(need('WORDPRESS_DIR'), code))).toEqual([
    [...ASSISTANTS],
    COUNTED_AGENTS.map(({ token }) => token),
  ])
})

test('agents are counted by name, visits by assistant, and nothing else of anybody is stored', async () => {
  const slug = `counted-${scene.run}`
  const post = await published(slug)
  const draft = await published(`draft-${scene.run}`, 'draft')
  await Promise.all(Array.from({ length: 5 }, () => open(slug, GPTBOT)))
  await open(slug, GPTBOT, 'HEAD')
  const page = await open(slug, READER)
  expect(page).toContain('navigator.sendBeacon')
  expect(page).toContain(`"post":${post}`)
  expect(await Promise.all([visit(post, 'chatgpt'), visit(post, 'chatgpt'), visit(post, 'claude')])).toEqual([
    204, 204, 204,
  ])
  // No visit: an unknown name, a post that readers do not see, one that does not exist, and an agent.
  expect(await visit(post, 'nobody')).toBe(400)
  expect(await Promise.all([visit(draft, 'claude'), visit(999_999, 'claude'), visit(post, 'claude', GPTBOT)])).toEqual([
    404, 404, 404,
  ])
  expect(await rest(`traffic?day=${ago(0)}`)).toMatchObject({ status: 200, json: { counted: false, counts: [] } })
  endDay()
  const { json } = await rest(`traffic?day=${ago(1)}`)
  expect(json).toMatchObject({ since: ago(3), counted: true })
  const counts = json?.counts as { post: number }[]
  expect(counts.filter((count) => count.post === post)).toEqual([
    { post, kind: 'crawl', name: 'GPTBot', count: 5 },
    { post, kind: 'visit', name: 'chatgpt', count: 2 },
    { post, kind: 'visit', name: 'claude', count: 1 },
  ])
  const columns =
    'echo implode(\',\', array_keys((array) $wpdb->get_row("select * from {$wpdb->prefix}galley_traffic")));'
  expect(php(need('WORDPRESS_DIR'), columns)).toBe('day,post_id,kind,name,hits')
  expect((await rest('traffic?day=yesterday')).status).toBe(400)
  expect((await rest(`traffic?day=${ago(1)}`, { headers: { 'x-galley-key': 'wpk_wrong' } })).status).toBe(401)
  expect(await rest(`traffic?day=${ago(4)}`)).toMatchObject({ json: { counted: false, counts: [] } })
})

test('a site without the script of the plugin on a page that is no article', async () => {
  expect(await (await fetch(scene.site.url, { headers: { 'user-agent': READER } })).text()).not.toContain('sendBeacon')
})

test('sums end after 90 days, and a deactivated plugin counts no day', () => {
  const counted = (code: string) => php(need('WORDPRESS_DIR'), code)
  const left = '$wpdb->get_var("select count(*) from {$wpdb->prefix}galley_traffic where name = \'CCBot\'")'
  const insert = `foreach ([89, 91] as $days) $wpdb->insert("{$wpdb->prefix}galley_traffic", ['day' => gmdate('Y-m-d', time() - $days * DAY_IN_SECONDS), 'post_id' => 1, 'kind' => 'crawl', 'name' => 'CCBot', 'hits' => 1]);`
  expect(counted(`${insert} do_action('galley_forget_traffic'); echo ${left};`)).toBe('1')
  expect(
    counted(
      "Galley_Traffic::stop(); Galley_Traffic::start(); echo Galley_Traffic::since(), ' ', (bool) wp_next_scheduled('galley_forget_traffic');",
    ),
  ).toBe(`${ago(-1)} 1`)
})

/** Functions of the Abilities API (WordPress 6.9), which keep what is registered. */
const ABILITIES = `
  $made = []; $categories = [];
  function wp_register_ability_category($name, $args) { $GLOBALS['categories'][$name] = $args; }
  function wp_register_ability($name, $args) { $GLOBALS['made'][$name] = $args; }
  do_action('wp_abilities_api_categories_init'); do_action('wp_abilities_api_init');`

test('the abilities are for editors, change nothing, and answer as their schemas say', async () => {
  await published(`ability-${scene.run}`)
  const code = `${ABILITIES}
    $seen = [];
    foreach ($made as $name => $ability) {
      $can = [];
      foreach (['admin', 'author'] as $login) {
        wp_set_current_user(get_user_by('login', $login)->ID);
        $can[] = call_user_func($ability['permission_callback']);
      }
      $answer = call_user_func($ability['execute_callback'], ['limit' => 1]);
      $seen[$name] = [
        'can' => $can, 'category' => isset($categories[$ability['category']]), 'readonly' => $ability['meta']['annotations']['readonly'],
        'fits' => rest_validate_value_from_schema($answer, $ability['output_schema'], 'answer'), 'answer' => $answer,
      ];
    }
    echo wp_json_encode($seen);`
  const seen = JSON.parse(php(need('WORDPRESS_DIR'), code)) as Record<string, { answer: Record<string, unknown> }>
  expect(Object.keys(seen)).toEqual(['galley/status', 'galley/list-articles', 'galley/traffic'])
  for (const ability of Object.values(seen))
    expect(ability).toMatchObject({ can: [true, false], category: true, readonly: true, fits: true })
  expect(seen['galley/status']?.answer).toMatchObject({ plugin_version: '1.5.0', connected: true })
  expect(seen['galley/list-articles']?.answer.articles).toMatchObject([{ title: 'Counted', status: 'publish' }])
  expect(seen['galley/traffic']?.answer.counts).not.toEqual([])
})
