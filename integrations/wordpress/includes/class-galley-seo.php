<?php
/**
 * What search engines are shown.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The description search engines show, and where an article has them a title and a canonical address. They are kept where the four
 * big SEO plugins look for them. Without an SEO plugin they are printed here. What a person wrote by hand is never overwritten.
 */
final class Galley_Seo {

	/** Meta key of the texts this plugin wrote last, by the key each was written to. */
	const WRITTEN = '_galley_seo';

	/** Meta keys of each field: first our own, then those of Yoast SEO, Rank Math, SEOPress and AIOSEO. */
	const KEYS = array(
		'description' => array( '_galley_description', '_yoast_wpseo_metadesc', 'rank_math_description', '_seopress_titles_desc', '_aioseo_description' ),
		'title'       => array( '_galley_title', '_yoast_wpseo_title', 'rank_math_title', '_seopress_titles_title', '_aioseo_title' ),
		'canonical'   => array( '_galley_canonical', '_yoast_wpseo_canonical', 'rank_math_canonical_url', '_seopress_robots_canonical' ),
	);

	/** The columns of AIOSEO's own table. */
	const COLUMNS = array(
		'description' => 'description',
		'title'       => 'title',
		'canonical'   => 'canonical_url',
	);

	/**
	 * Stores fields of a post, each where nothing stands or what was written here last.
	 *
	 * @param int   $post_id The post.
	 * @param array $fields  Plain texts by the names of KEYS; empty takes away what was written here.
	 * @return string[] Notes.
	 */
	public static function store( $post_id, $fields ) {
		$written = self::written( $post_id );
		$kept    = array();
		foreach ( $fields as $field => $text ) {
			foreach ( self::KEYS[ $field ] as $n => $key ) {
				$now = (string) get_post_meta( $post_id, $key, true );
				if ( $n > 0 && '' !== $now && $now !== ( isset( $written[ $key ] ) ? $written[ $key ] : '' ) ) {
					$kept[ $key ] = $field;
					continue;
				}
				'' === $text ? delete_post_meta( $post_id, $key ) : update_post_meta( $post_id, $key, wp_slash( $text ) );
				// As it is stored: SEO plugins clean what they are given.
				$written[ $key ] = (string) get_post_meta( $post_id, $key, true );
			}
			if ( ! self::store_in_aioseo( $post_id, $field, $text, $written ) ) {
				$kept[ 'aioseo ' . $field ] = $field;
			}
		}
		update_post_meta( $post_id, self::WRITTEN, wp_slash( $written ) );
		return self::notes( $fields, $kept );
	}

	/**
	 * Returns the texts this plugin wrote last, by key. Versions before 1.2.0 kept only the text itself.
	 *
	 * @param int $post_id The post.
	 * @return string[]
	 */
	private static function written( $post_id ) {
		$written = get_post_meta( $post_id, self::WRITTEN, true );
		if ( is_array( $written ) ) {
			return $written;
		}
		$before = array();
		foreach ( self::KEYS as $keys ) {
			foreach ( $keys as $key ) {
				$before[ $key ] = (string) get_post_meta( $post_id, $keys[0], true );
			}
		}
		return $before;
	}

	/**
	 * Stores a field in the table AIOSEO reads. The row is AIOSEO's own, made when a person or AIOSEO first saves the post.
	 *
	 * @param int      $post_id The post.
	 * @param string   $field   The field.
	 * @param string   $text    The text.
	 * @param string[] $written What was written here last; what is written is added.
	 * @return bool False where a person's text stands there.
	 */
	private static function store_in_aioseo( $post_id, $field, $text, &$written ) {
		global $wpdb;
		if ( 'aioseo' !== self::plugin() ) {
			return true;
		}
		$table = $wpdb->prefix . 'aioseo_posts';
		// phpcs:disable WordPress.DB -- the table is another plugin's, without functions of its own for it.
		if ( $table !== $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
			return true;
		}
		$column = self::COLUMNS[ $field ];
		$row    = $wpdb->get_row( $wpdb->prepare( "SELECT id, {$column} AS value FROM {$table} WHERE post_id = %d", $post_id ) );
		$key    = 'aioseo ' . $field;
		if ( $row && '' !== (string) $row->value && $row->value !== ( isset( $written[ $key ] ) ? $written[ $key ] : '' ) ) {
			return false;
		}
		$value = '' === $text ? null : $text;
		$now   = current_time( 'mysql', true );
		if ( $row ) {
			$wpdb->update( $table, array( $column => $value, 'updated' => $now ), array( 'id' => $row->id ) );
		} else {
			$wpdb->insert( $table, array( 'post_id' => $post_id, $column => $value, 'created' => $now, 'updated' => $now ) );
		}
		// phpcs:enable
		$written[ $key ] = $text;
		return true;
	}

	/**
	 * Says what was left as it is, and what the active SEO plugin is not told.
	 *
	 * @param array    $fields The texts that were to be stored.
	 * @param string[] $kept   Fields that a person wrote, by key.
	 * @return string[]
	 */
	private static function notes( $fields, $kept ) {
		$plugin = self::plugin();
		$notes  = array();
		if ( 'other' === $plugin && array_filter( $fields, 'strlen' ) ) {
			/* translators: %s: names of fields. */
			$notes[] = sprintf( __( 'The SEO plugin of this site is not one that can be written to, so it does not show: %s. Set it there.', 'galley' ), implode( ', ', array_keys( array_filter( $fields, 'strlen' ) ) ) );
		}
		$shown = array_intersect_key( $kept, array_flip( self::shown_keys( $plugin ) ) );
		if ( $shown ) {
			/* translators: %s: names of fields. */
			$notes[] = sprintf( __( 'A person wrote these fields for search engines in the SEO plugin, so they stay: %s.', 'galley' ), implode( ', ', array_unique( $shown ) ) );
		}
		return $notes;
	}

	/**
	 * The keys an SEO plugin shows.
	 *
	 * @param string $plugin The plugin.
	 * @return string[]
	 */
	private static function shown_keys( $plugin ) {
		$place = array_search( $plugin, array( 1 => 'yoast', 2 => 'rank-math', 3 => 'seopress', 4 => 'aioseo' ), true );
		if ( false === $place ) {
			return array();
		}
		$keys = array();
		foreach ( self::KEYS as $field => $of_field ) {
			$keys[] = isset( $of_field[ $place ] ) ? $of_field[ $place ] : '';
			$keys[] = 'aioseo ' . $field;
		}
		return $keys;
	}

	/**
	 * Puts back a description that readers saw before, also one that a person wrote.
	 *
	 * @param int    $post_id     The post.
	 * @param string $description Plain text.
	 */
	public static function put_back( $post_id, $description ) {
		if ( self::description( $post_id ) === $description ) {
			return;
		}
		foreach ( self::KEYS['description'] as $key ) {
			update_post_meta( $post_id, $key, wp_slash( $description ) );
		}
	}

	/**
	 * The title of an article of ours where it has one for search engines and no SEO plugin shows it.
	 *
	 * @param string $title The title so far; empty for WordPress's own.
	 * @return string
	 */
	public static function title( $title ) {
		$own = is_singular() && '' === self::plugin() ? (string) get_post_meta( get_queried_object_id(), '_galley_title', true ) : '';
		// WordPress prints what this filter gives as it is.
		return '' === $own ? $title : esc_html( $own );
	}

	/**
	 * The canonical address of an article of ours where it has one and no SEO plugin shows it.
	 *
	 * @param string  $url  The address so far.
	 * @param WP_Post $post The post.
	 * @return string
	 */
	public static function canonical( $url, $post ) {
		$own = '' === self::plugin() ? (string) get_post_meta( $post->ID, '_galley_canonical', true ) : '';
		return '' === $own ? $url : $own;
	}

	/**
	 * A post's description.
	 *
	 * @param int $post_id The post.
	 * @return string
	 */
	public static function description( $post_id ) {
		$key = array(
			'yoast'     => '_yoast_wpseo_metadesc',
			'rank-math' => 'rank_math_description',
			'seopress'  => '_seopress_titles_desc',
			'aioseo'    => '_aioseo_description',
		);
		$own = self::plugin();
		return (string) get_post_meta( $post_id, isset( $key[ $own ] ) ? $key[ $own ] : '_galley_description', true );
	}

	/**
	 * The SEO plugin that is active; empty when there is none, `other` for one that cannot be written to.
	 *
	 * @return string
	 */
	public static function plugin() {
		$signs = array(
			'yoast'     => defined( 'WPSEO_VERSION' ),
			'rank-math' => defined( 'RANK_MATH_VERSION' ),
			'aioseo'    => defined( 'AIOSEO_VERSION' ),
			'seopress'  => defined( 'SEOPRESS_VERSION' ),
			'other'     => defined( 'THE_SEO_FRAMEWORK_VERSION' ) || defined( 'SLIM_SEO_VER' ) || defined( 'SQ_VERSION' ) || defined( 'SMARTCRAWL_VERSION' ),
		);
		return (string) array_search( true, $signs, true );
	}

	/**
	 * Prints the description of an article of ours when nobody else does.
	 */
	public static function print_description() {
		if ( ! is_singular() || '' !== self::plugin() ) {
			return;
		}
		$description = (string) get_post_meta( get_queried_object_id(), '_galley_description', true );
		if ( '' !== $description ) {
			printf( "<meta name=\"description\" content=\"%s\" />\n", esc_attr( $description ) );
		}
	}
}
