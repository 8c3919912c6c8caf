<?php
/**
 * Counts of visits and crawls.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Counts by day how often readers come to an article from an AI assistant, and how often agents request it.
 *
 * Only sums are stored: day, post, name and number. No address, no cookie and nothing else of a reader is stored or sent.
 */
final class Galley_Traffic {

	/** Option with the first day that is counted from its beginning; empty if the table could not be made. */
	const SINCE = 'galley_traffic_since';
	const CLEAN = 'galley_forget_traffic';
	/** Days for which the sums are kept. */
	const DAYS = 90;
	/** Most sums of one answer. */
	const MAX_ROWS = 20000;

	/** Hosts of each assistant: of the referrer, or in `utm_source`. */
	const ASSISTANTS = array(
		'chatgpt'    => array( 'chatgpt.com', 'chat.openai.com' ),
		'perplexity' => array( 'perplexity.ai' ),
		'claude'     => array( 'claude.ai' ),
		'gemini'     => array( 'gemini.google.com' ),
		'copilot'    => array( 'copilot.microsoft.com' ),
		'mistral'    => array( 'chat.mistral.ai' ),
		'deepseek'   => array( 'chat.deepseek.com' ),
		'grok'       => array( 'grok.com' ),
		'meta'       => array( 'meta.ai' ),
	);

	/** Agents, by the name in their User-Agent header. */
	const AGENTS = array(
		'Googlebot',
		'bingbot',
		'Applebot',
		'OAI-SearchBot',
		'Claude-SearchBot',
		'PerplexityBot',
		'ChatGPT-User',
		'Claude-User',
		'Perplexity-User',
		'MistralAI-User',
		'DuckAssistBot',
		'meta-externalfetcher',
		'GPTBot',
		'ClaudeBot',
		'CCBot',
		'meta-externalagent',
		'Amazonbot',
		'Bytespider',
	);

	/** Sends the visit of a reader who came from an assistant. Works on pages from a cache too. A reload is no visit. */
	const SCRIPT = <<<'JS'
( function ( given ) {
	var entry = performance.getEntriesByType( 'navigation' )[ 0 ];
	if ( ! navigator.sendBeacon || ( entry && entry.type !== 'navigate' ) ) {
		return;
	}
	var hosts = [ ( new URLSearchParams( location.search ).get( 'utm_source' ) || '' ).toLowerCase() ];
	try {
		hosts.push( new URL( document.referrer ).hostname );
	} catch ( e ) {}
	for ( var name in given.assistants ) {
		var isFrom = given.assistants[ name ].some( function ( host ) {
			return hosts.some( function ( from ) {
				return from === host || from.endsWith( '.' + host );
			} );
		} );
		if ( isFrom ) {
			navigator.sendBeacon( given.url, new URLSearchParams( { post: given.post, assistant: name } ) );
			return;
		}
	}
} )
JS;

	/**
	 * Begins to count, if that has not begun: makes the table and plans its daily clean-up.
	 */
	public static function start() {
		global $wpdb;
		if ( false !== get_option( self::SINCE ) ) {
			return;
		}
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table = self::table();
		dbDelta(
			"CREATE TABLE {$table} (
			day date NOT NULL,
			post_id bigint(20) unsigned NOT NULL,
			kind varchar(8) NOT NULL,
			name varchar(40) NOT NULL,
			hits int(10) unsigned NOT NULL,
			PRIMARY KEY  (day,post_id,kind,name)
			) {$wpdb->get_charset_collate()};"
		);
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- WordPress has no function that looks for a table.
		$is_made = $table === $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) );
		// Today is not counted from its beginning.
		add_option( self::SINCE, $is_made ? gmdate( 'Y-m-d', time() + DAY_IN_SECONDS ) : '' );
		wp_schedule_event( time() + DAY_IN_SECONDS, 'daily', self::CLEAN );
	}

	/**
	 * Stops counting, because the plugin was deactivated. The sums stay; days without the plugin do not count as days without visits.
	 */
	public static function stop() {
		delete_option( self::SINCE );
		wp_clear_scheduled_hook( self::CLEAN );
	}

	/**
	 * Returns the name of the table.
	 *
	 * @return string
	 */
	public static function table() {
		global $wpdb;
		return $wpdb->prefix . 'galley_traffic';
	}

	/**
	 * Returns the first day that is counted from its beginning; empty if nothing is counted.
	 *
	 * @return string
	 */
	public static function since() {
		return (string) get_option( self::SINCE, '' );
	}

	/**
	 * Deletes sums that are too old.
	 */
	public static function clean() {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- the plugin's own table.
		$wpdb->query( $wpdb->prepare( 'DELETE FROM ' . self::table() . ' WHERE day < %s', gmdate( 'Y-m-d', time() - self::DAYS * DAY_IN_SECONDS ) ) );
	}

	/**
	 * Counts a request of an agent for an article's page, by the name in its User-Agent header.
	 */
	public static function count_crawl() {
		$agent = self::agent();
		$post  = '' === $agent ? null : self::shown_article();
		if ( $post ) {
			self::add( $post->ID, 'crawl', $agent );
		}
	}

	/**
	 * Adds the script to an article's page.
	 */
	public static function add_script() {
		$post = '' === self::since() ? null : self::shown_article();
		if ( ! $post ) {
			return;
		}
		$given = array(
			'url'        => rest_url( GALLEY_NAMESPACE . '/visits' ),
			'post'       => (int) $post->ID,
			'assistants' => self::ASSISTANTS,
		);
		// phpcs:ignore WordPress.WP.EnqueuedResourceParameters -- it has no file, so no version.
		wp_register_script( 'galley-visits', false, array(), false, true );
		wp_enqueue_script( 'galley-visits' );
		wp_add_inline_script( 'galley-visits', self::SCRIPT . '( ' . wp_json_encode( $given, JSON_HEX_TAG | JSON_HEX_AMP ) . ' );' );
	}

	/**
	 * Counts a visit from an assistant, if the post is an article that readers see.
	 *
	 * @param int    $post_id   The post.
	 * @param string $assistant The assistant.
	 * @return bool True if it was counted.
	 */
	public static function count_visit( $post_id, $assistant ) {
		$post = '' === self::agent() ? Galley_Posts::by_id( $post_id ) : null;
		if ( ! $post || 'publish' !== $post->post_status || ! Galley_Posts::is_article( $post ) ) {
			return false;
		}
		self::add( $post->ID, 'visit', $assistant );
		return true;
	}

	/**
	 * Returns the sums of a day, the largest first.
	 *
	 * @param string $day The day, in UTC.
	 * @return array
	 */
	public static function of_day( $day ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- the plugin's own table.
		$rows = $wpdb->get_results( $wpdb->prepare( 'SELECT post_id, kind, name, hits FROM ' . self::table() . ' WHERE day = %s ORDER BY hits DESC, post_id, kind, name LIMIT %d', $day, self::MAX_ROWS ) );
		return array_map(
			static function ( $row ) {
				return array(
					'post'  => (int) $row->post_id,
					'kind'  => $row->kind,
					'name'  => $row->name,
					'count' => (int) $row->hits,
				);
			},
			$rows
		);
	}

	/**
	 * True if a day is over and was counted from its beginning to its end, and its sums are kept.
	 *
	 * @param string $day The day, in UTC.
	 * @return bool
	 */
	public static function is_counted( $day ) {
		$since = self::since();
		return '' !== $since && $day >= $since && $day < gmdate( 'Y-m-d' ) && $day > gmdate( 'Y-m-d', time() - self::DAYS * DAY_IN_SECONDS );
	}

	/**
	 * Returns the article's post whose page is shown; null for any other page.
	 *
	 * @return WP_Post|null
	 */
	private static function shown_article() {
		$method = isset( $_SERVER['REQUEST_METHOD'] ) ? sanitize_key( wp_unslash( $_SERVER['REQUEST_METHOD'] ) ) : '';
		$post   = 'get' === $method && is_single() && ! is_feed() && ! is_preview() ? get_queried_object() : null;
		return $post instanceof WP_Post && 'publish' === $post->post_status && Galley_Posts::is_article( $post ) ? $post : null;
	}

	/**
	 * Returns the agent that makes the request; empty for any other.
	 *
	 * @return string
	 */
	private static function agent() {
		$header = isset( $_SERVER['HTTP_USER_AGENT'] ) ? sanitize_text_field( wp_unslash( $_SERVER['HTTP_USER_AGENT'] ) ) : '';
		foreach ( self::AGENTS as $agent ) {
			if ( false !== stripos( $header, $agent ) ) {
				return $agent;
			}
		}
		return '';
	}

	/**
	 * Adds one to the sum of a day.
	 *
	 * @param int    $post_id The post.
	 * @param string $kind    `visit` or `crawl`.
	 * @param string $name    The assistant or agent.
	 */
	private static function add( $post_id, $kind, $name ) {
		global $wpdb;
		if ( '' === self::since() ) {
			return;
		}
		// phpcs:ignore WordPress.DB -- the plugin's own table. One statement, so that no count of two requests at once is lost.
		$wpdb->query( $wpdb->prepare( 'INSERT INTO ' . self::table() . ' (day, post_id, kind, name, hits) VALUES (%s, %d, %s, %s, 1) ON DUPLICATE KEY UPDATE hits = hits + 1', gmdate( 'Y-m-d' ), $post_id, $kind, $name ) );
	}
}
