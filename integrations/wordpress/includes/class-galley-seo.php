<?php
/**
 * Fields for search engines.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Stores an article's description, title and canonical address for search engines, under the keys of four SEO plugins.
 *
 * Without an SEO plugin, this class prints them. An update does not overwrite texts that a person wrote; a restore does.
 */
final class Galley_Seo {

	/** Meta key of the texts that this plugin wrote last, each by its own meta key. */
	const WRITTEN = '_galley_seo';

	/** Meta keys of each field: first the plugin's own, then those of Yoast SEO, Rank Math, SEOPress and AIOSEO. */
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
	 * Stores fields of a post. Keeps a text in an SEO plugin's field unless this plugin wrote it, or `$replaces` is true.
	 *
	 * @param int   $post_id  The post.
	 * @param array $fields   Plain texts by the names of KEYS; an empty text deletes the one that this plugin wrote.
	 * @param bool  $replaces True to replace texts of people, too.
	 * @return string[] Notes.
	 */
	public static function store( $post_id, $fields, $replaces = false ) {
		$written = $replaces ? self::present( $post_id ) : self::written( $post_id );
		$kept    = array();
		foreach ( $fields as $field => $text ) {
			foreach ( self::KEYS[ $field ] as $n => $key ) {
				$now = (string) get_post_meta( $post_id, $key, true );
				if ( $n > 0 && '' !== $now && $now !== ( isset( $written[ $key ] ) ? $written[ $key ] : '' ) ) {
					$kept[ $key ] = $field;
					continue;
				}
				'' === $text ? delete_post_meta( $post_id, $key ) : update_post_meta( $post_id, $key, wp_slash( $text ) );
				// Read it again, because SEO plugins clean the text before it is stored.
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
	 * Returns the texts that this plugin wrote last, by meta key. Versions before 1.2.0 stored no such list, only the texts.
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
	 * Returns the texts that the fields of a post have now, by meta key, as if this plugin had written them.
	 *
	 * @param int $post_id The post.
	 * @return string[]
	 */
	private static function present( $post_id ) {
		$present = array();
		foreach ( self::KEYS as $field => $keys ) {
			foreach ( $keys as $key ) {
				$present[ $key ] = (string) get_post_meta( $post_id, $key, true );
			}
			$present[ 'aioseo ' . $field ] = self::in_aioseo( $post_id, $field );
		}
		return $present;
	}

	/**
	 * Returns the text of a field in AIOSEO's own table.
	 *
	 * @param int    $post_id The post.
	 * @param string $field   The field.
	 * @return string
	 */
	private static function in_aioseo( $post_id, $field ) {
		global $wpdb;
		$table = $wpdb->prefix . 'aioseo_posts';
		// phpcs:disable WordPress.DB -- the table belongs to another plugin, and WordPress has no functions for it.
		if ( 'aioseo' !== self::plugin() || $table !== $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
			return '';
		}
		$column = self::COLUMNS[ $field ];
		return (string) $wpdb->get_var( $wpdb->prepare( "SELECT {$column} FROM {$table} WHERE post_id = %d", $post_id ) );
		// phpcs:enable
	}

	/**
	 * Stores a field in AIOSEO's own table. Inserts the row if AIOSEO has not created it yet.
	 *
	 * @param int      $post_id The post.
	 * @param string   $field   The field.
	 * @param string   $text    The text.
	 * @param string[] $written Texts that this plugin wrote last; the new text is added.
	 * @return bool False if the field has a person's text, which stays.
	 */
	private static function store_in_aioseo( $post_id, $field, $text, &$written ) {
		global $wpdb;
		if ( 'aioseo' !== self::plugin() ) {
			return true;
		}
		$table = $wpdb->prefix . 'aioseo_posts';
		// phpcs:disable WordPress.DB -- the table belongs to another plugin, and WordPress has no functions for it.
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
	 * Returns notes about fields that stayed as a person wrote them, and fields that the active SEO plugin does not show.
	 *
	 * @param array    $fields The texts to store.
	 * @param string[] $kept   Fields that a person wrote, by key.
	 * @return string[]
	 */
	private static function notes( $fields, $kept ) {
		$plugin = self::plugin();
		$notes  = array();
		if ( 'other' === $plugin && array_filter( $fields, 'strlen' ) ) {
			/* translators: %s: names of fields. */
			$notes[] = sprintf( __( 'Galley cannot write to the SEO plugin of this site, which therefore does not show: %s. Set these fields there.', 'galley' ), implode( ', ', array_keys( array_filter( $fields, 'strlen' ) ) ) );
		}
		$shown = array_intersect_key( $kept, array_flip( self::shown_keys( $plugin ) ) );
		if ( $shown ) {
			/* translators: %s: names of fields. */
			$notes[] = sprintf( __( 'A person wrote these fields in the SEO plugin, so they were not changed: %s. To change them, edit them there.', 'galley' ), implode( ', ', array_unique( $shown ) ) );
		}
		return $notes;
	}

	/**
	 * Returns the keys that an SEO plugin reads.
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
	 * Restores an earlier description. Keeps a text in an SEO plugin's field unless this plugin wrote it.
	 *
	 * @param int    $post_id     The post.
	 * @param string $description Plain text.
	 * @return string[] Notes.
	 */
	public static function put_back( $post_id, $description ) {
		return self::description( $post_id ) === $description ? array() : self::store( $post_id, array( 'description' => $description ) );
	}

	/**
	 * Returns the article's title for search engines, if it has one and no SEO plugin is active; otherwise the title so far.
	 *
	 * @param string $title The title so far; empty for WordPress's own.
	 * @return string
	 */
	public static function title( $title ) {
		$own = is_singular() && '' === self::plugin() ? (string) get_post_meta( get_queried_object_id(), '_galley_title', true ) : '';
		// WordPress prints the result of this filter without escaping it.
		return '' === $own ? $title : esc_html( $own );
	}

	/**
	 * Returns the article's canonical address, if it has one and no SEO plugin is active; otherwise the address so far.
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
	 * Returns a post's description for search engines, from the active SEO plugin's meta key.
	 *
	 * @param int $post_id The post.
	 * @return string
	 */
	public static function description( $post_id ) {
		return self::values( $post_id )['description'];
	}

	/**
	 * Returns the fields of a post from the meta keys of the active SEO plugin, or of this one.
	 *
	 * @param int $post_id The post.
	 * @return string[] Texts by the names of KEYS.
	 */
	public static function values( $post_id ) {
		$place  = (int) array_search( self::plugin(), array( 1 => 'yoast', 2 => 'rank-math', 3 => 'seopress', 4 => 'aioseo' ), true );
		$values = array();
		foreach ( self::KEYS as $field => $keys ) {
			$values[ $field ] = isset( $keys[ $place ] ) ? (string) get_post_meta( $post_id, $keys[ $place ], true ) : '';
		}
		return $values;
	}

	/**
	 * Returns the active SEO plugin; empty if there is none, `other` for one that this plugin cannot write to.
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
	 * Prints the article's description, if no SEO plugin is active.
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
