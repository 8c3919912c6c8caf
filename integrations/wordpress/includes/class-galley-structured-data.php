<?php
/**
 * Structured data.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Prints the questions and steps of an article in the words of schema.org. Without an SEO plugin, it also describes the post itself.
 */
final class Galley_Structured_Data {

	/** Meta key of the JSON-LD that the service sent for the text. */
	const META = '_galley_structured_data';

	/**
	 * Stores the structured data of a post's text; deletes them if there are none.
	 *
	 * @param int    $post_id The post.
	 * @param string $json    JSON-LD; empty for none.
	 */
	public static function store( $post_id, $json ) {
		is_array( json_decode( $json, true ) ) ? update_post_meta( $post_id, self::META, wp_slash( $json ) ) : delete_post_meta( $post_id, self::META );
	}

	/**
	 * Prints the structured data of an article that everybody may read.
	 */
	public static function print_script() {
		$post = is_singular( 'post' ) ? get_queried_object() : null;
		if ( ! $post || post_password_required( $post ) || '' === (string) get_post_meta( $post->ID, Galley_Posts::EXTERNAL, true ) ) {
			return;
		}
		$sent  = json_decode( (string) get_post_meta( $post->ID, self::META, true ), true );
		$graph = array_merge( '' === Galley_Seo::plugin() ? array( self::posting( $post ) ) : array(), isset( $sent['@graph'] ) ? (array) $sent['@graph'] : array() );
		if ( $graph ) {
			$data = array(
				'@context' => 'https://schema.org',
				'@graph'   => $graph,
			);
			printf( "<script type=\"application/ld+json\">%s</script>\n", wp_json_encode( $data, JSON_HEX_TAG | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ) );
		}
	}

	/**
	 * Returns the description of a post as WordPress has it.
	 *
	 * @param WP_Post $post The post.
	 * @return array
	 */
	private static function posting( $post ) {
		$image = get_the_post_thumbnail_url( $post, 'full' );
		return array_filter(
			array(
				'@type'            => 'BlogPosting',
				'headline'         => html_entity_decode( wp_strip_all_tags( get_the_title( $post ) ), ENT_QUOTES, 'UTF-8' ),
				'description'      => Galley_Seo::description( $post->ID ),
				'image'            => $image ? $image : '',
				'datePublished'    => get_the_date( 'c', $post ),
				'dateModified'     => get_the_modified_date( 'c', $post ),
				'author'           => array(
					'@type' => 'Person',
					'name'  => get_the_author_meta( 'display_name', (int) $post->post_author ),
				),
				'publisher'        => array(
					'@type' => 'Organization',
					'name'  => html_entity_decode( wp_strip_all_tags( get_bloginfo( 'name' ) ), ENT_QUOTES, 'UTF-8' ),
					'url'   => home_url( '/' ),
				),
				'mainEntityOfPage' => get_permalink( $post ),
				'inLanguage'       => get_bloginfo( 'language' ),
			)
		);
	}
}
