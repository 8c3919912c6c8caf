import { existsSync, readFileSync } from 'node:fs'
import { SENTENCE } from '../../docs/care-guide.ts'
import { careAt, type NewPost, type OldBlog, type StoredPost } from '../care.ts'
import { need, phpWith, realSite } from './site.ts'

/** Posts that one run of PHP makes or reads. */
const AT_ONCE = 50

const PLAIN = [
  '<!-- wp:paragraph {"dropCap":true,"style":{"typography":{"fontSize":"1.2rem"}}} -->\n<p class="has-drop-cap" style="font-size:1.2rem">The <a href="https://mill.example/">old mill</a> stood here.</p>\n<!-- /wp:paragraph -->',
  '<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">Rye &amp; wheat</h3>\n<!-- /wp:heading -->',
  '<!-- wp:acme/map {"zoom":2.0,"note":"\\u003cb\\u003enet\\u003c/b\\u003e"} /-->',
  '<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery has-nested-images"><!-- wp:image {"sizeSlug":"large"} -->\n<figure class="wp-block-image size-large"><img src="https://mill.example/1.jpg" alt=""/></figure>\n<!-- /wp:image --></figure>\n<!-- /wp:gallery -->',
  '<!-- wp:shortcode -->\n[contact-form-7 id="12" title="Ask us"]\n<!-- /wp:shortcode -->',
  '<!-- wp:paragraph -->\n<p>A back\\slash, and “quotes”.</p>\n<!-- /wp:paragraph -->',
]

const SAYING = [
  `<!-- wp:paragraph {"align":"wide"} -->\n<p class="has-text-align-wide">Fresh every day. ${SENTENCE}, and rolls less.</p>\n<!-- /wp:paragraph -->`,
  `<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>${SENTENCE}.</li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>A roll is cheaper.</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->`,
  `<!-- wp:columns -->\n<div class="wp-block-columns"><!-- wp:column {"width":"66.66%"} -->\n<div class="wp-block-column" style="flex-basis:66.66%"><!-- wp:paragraph -->\n<p>${SENTENCE}.</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->`,
]

/** Hides the posts of other tests: the guide adopts every published one. */
const HIDE =
  "$wpdb->update($wpdb->posts, ['post_status' => 'draft'], ['post_status' => 'publish', 'post_type' => 'post']); wp_cache_flush();"

/** Makes published posts with terms, custom fields and an excerpt, as editors and plugins leave them. */
const WRITE = `foreach (json_decode(file_get_contents('php://stdin'), true) as $one) {
  $id = wp_insert_post(wp_slash(['post_status' => 'publish', 'post_author' => 1, 'post_title' => $one['title'],
    'post_content' => $one['text'], 'post_excerpt' => $one['excerpt'], 'post_date' => '2019-03-05 06:07:08',
    'tags_input' => $one['tags'], 'meta_input' => ['rating' => 4, '_plugin' => wp_json_encode(['a' => 'b\\\\c'])]]), true);
  echo (is_wp_error($id) ? $id->get_error_message() : $id) . "\\n";
}`

/** Rows of posts, with their fields and terms. WordPress notes at each save that links are to be told of it, until its cron runs. */
const READ = `foreach (json_decode(file_get_contents('php://stdin')) as $id) {
  $row = $wpdb->get_row($wpdb->prepare("SELECT * FROM {$wpdb->posts} WHERE ID = %d", $id), ARRAY_A);
  unset($row['post_modified'], $row['post_modified_gmt']);
  $fields = $wpdb->get_results($wpdb->prepare("SELECT meta_key, meta_value FROM {$wpdb->postmeta} WHERE post_id = %d
    AND meta_key NOT IN ('_pingme', '_encloseme') ORDER BY meta_key, meta_id", $id), ARRAY_A);
  $terms = wp_get_object_terms($id, get_object_taxonomies('post'), ['fields' => 'slugs', 'orderby' => 'slug']);
  echo base64_encode(serialize([$row, $fields, $terms])) . "\\n";
}`

const inParts = <T>(all: readonly T[], run: (part: readonly T[]) => string): string[] => {
  const lines: string[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    lines.push(
      ...run(all.slice(at, at + AT_ONCE))
        .trim()
        .split('\n'),
    )
  return lines
}

const oldBlog = async (): Promise<OldBlog> => {
  const folder = need('WORDPRESS_DIR')
  const { url, passwords } = realSite()
  return {
    connection: { platform: 'wordpress', cms_url: url, cms_username: 'admin', integration_key: passwords.admin },
    pieces: { plain: PLAIN, saying: SAYING, join: (pieces) => pieces.join('\n\n') },
    write: async (posts: readonly NewPost[]) => {
      phpWith(folder, HIDE, null)
      return inParts(posts, (part) => phpWith(folder, WRITE, part))
    },
    read: async (ids) => {
      const log = `${folder}/site/wp-content/changed-posts.log`
      const writes = new Map<string, number>()
      for (const id of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [])
        writes.set(id, (writes.get(id) ?? 0) + 1)
      return inParts(ids, (part) => phpWith(folder, READ, part)).map(
        (line, n): StoredPost => ({
          id: ids[n] ?? '',
          whole: Buffer.from(line, 'base64').toString('utf8'),
          writes: writes.get(ids[n] ?? '') ?? 0,
        }),
      )
    },
    // Before the first change WordPress gets the text as it was found once more, so that a revision of it stays.
    writesOfChange: 3,
  }
}

careAt('WordPress', oldBlog, { short: { posts: 20, changed: 6 }, whole: { posts: 300, changed: 40 } })
