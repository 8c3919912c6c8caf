<?php
/**
 * Meta descriptions.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The description search engines show, kept where Yoast SEO and Rank Math look for it. Titles are left to the templates of the
 * site. Without an SEO plugin the description is printed here, for WordPress prints none.
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
