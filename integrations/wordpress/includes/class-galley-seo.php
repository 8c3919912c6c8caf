<?php
/**
 * What search engines are shown.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The description search engines show, kept where Yoast SEO and Rank Math look for it, and where an article has them a title and
 * a canonical address; else both are left to the site. Without an SEO plugin they are printed here.
 */
final class Galley_Seo {

	const KEYS = array( '_yoast_wpseo_metadesc', 'rank_math_description', '_galley_description' );

	/**
	 * Stores a post's description.
	 *
	 * @param int    $post_id     The post.
	 * @param string $description Plain text.
	 */
	public static function store( $post_id, $description ) {
		foreach ( self::KEYS as $key ) {
			update_post_meta( $post_id, $key, wp_slash( $description ) );
		}
	}

	/**
	 * Stores the title for search engines and the canonical address of a post. Where an article has none, what people set stays,
	 * and what an article set before goes.
	 *
	 * @param int    $post_id   The post.
	 * @param string $title     Plain text; empty for none.
	 * @param string $canonical An address; empty for none.
	 */
	public static function store_address( $post_id, $title, $canonical ) {
		self::store_own( $post_id, '_galley_title', $title, array( '_yoast_wpseo_title', 'rank_math_title' ) );
		self::store_own( $post_id, '_galley_canonical', esc_url_raw( $canonical ), array( '_yoast_wpseo_canonical', 'rank_math_canonical_url' ) );
	}

	/**
	 * Stores a text under our key and under those of SEO plugins.
	 *
	 * @param int      $post_id The post.
	 * @param string   $own     Our key.
	 * @param string   $text    The text; empty for none.
	 * @param string[] $keys    The plugins' keys.
	 */
	private static function store_own( $post_id, $own, $text, $keys ) {
		$before = (string) get_post_meta( $post_id, $own, true );
		foreach ( $keys as $key ) {
			if ( '' !== $text ) {
				update_post_meta( $post_id, $key, wp_slash( $text ) );
			} elseif ( '' !== $before && get_post_meta( $post_id, $key, true ) === $before ) {
				delete_post_meta( $post_id, $key );
			}
		}
		'' === $text ? delete_post_meta( $post_id, $own ) : update_post_meta( $post_id, $own, wp_slash( $text ) );
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
		$key = array( 'yoast' => '_yoast_wpseo_metadesc', 'rank-math' => 'rank_math_description' );
		$own = self::plugin();
		return (string) get_post_meta( $post_id, isset( $key[ $own ] ) ? $key[ $own ] : '_galley_description', true );
	}

	/**
	 * The SEO plugin that is active; empty when there is none.
	 *
	 * @return string
	 */
	public static function plugin() {
		$signs = array(
			'yoast'     => defined( 'WPSEO_VERSION' ),
			'rank-math' => defined( 'RANK_MATH_VERSION' ),
			'aioseo'    => defined( 'AIOSEO_VERSION' ),
			'seopress'  => defined( 'SEOPRESS_VERSION' ),
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
