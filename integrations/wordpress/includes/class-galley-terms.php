<?php
/**
 * Tags, categories and bylines.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Finds tags, categories and authors by name.
 */
final class Galley_Terms {

	/**
	 * Sets a post's tags and category. Creates those that do not exist.
	 *
	 * @param int      $post_id  The post.
	 * @param string[] $tags     Names; an empty list keeps the post's tags.
	 * @param string   $category A name; an empty text keeps the post's categories.
	 * @return string[] Notes.
	 */
	public static function store( $post_id, $tags, $category ) {
		$results = array();
		if ( $tags ) {
			$results[] = self::assign( $post_id, array_map( 'strval', $tags ), 'post_tag' );
		}
		if ( '' !== $category ) {
			$results[] = self::assign( $post_id, array( $category ), 'category' );
		}
		$notes = array();
		foreach ( $results as $result ) {
			if ( is_wp_error( $result ) ) {
				/* translators: %s: the error message of WordPress. */
				$notes[] = sprintf( __( 'Tags or category could not be set: %s', 'galley' ), $result->get_error_message() );
			}
		}
		return $notes;
	}

	/**
	 * Sets a post's terms by name, ignoring case. WordPress itself compares slugs first, and so would take "F" for "F#".
	 *
	 * @param int      $post_id  The post.
	 * @param string[] $names    Names of terms.
	 * @param string   $taxonomy The taxonomy.
	 * @return array|WP_Error
	 */
	private static function assign( $post_id, $names, $taxonomy ) {
		$ids = array();
		foreach ( $names as $name ) {
			$stored = sanitize_term_field( 'name', $name, 0, $taxonomy, 'db' );
			$terms  = get_terms(
				array(
					'taxonomy'   => $taxonomy,
					'name'       => $name,
					'hide_empty' => false,
				)
			);
			$same   = array_filter(
				is_wp_error( $terms ) ? array() : $terms,
				static function ( $term ) use ( $stored ) {
					return 0 === strcasecmp( $term->name, wp_unslash( $stored ) );
				}
			);
			$made   = $same ? array( 'term_id' => reset( $same )->term_id ) : wp_insert_term( $name, $taxonomy );
			if ( is_wp_error( $made ) ) {
				if ( 'term_exists' !== $made->get_error_code() ) {
					return $made;
				}
				$made = array( 'term_id' => $made->get_error_data() );
			}
			$ids[] = (int) $made['term_id'];
		}
		return wp_set_object_terms( $post_id, $ids, $taxonomy );
	}

	/**
	 * Returns the author of articles whose byline matches no user: the chosen user, or the first administrator.
	 *
	 * @return int 0 if there is no administrator.
	 */
	public static function default_author() {
		$chosen = (int) get_option( 'galley_author', 0 );
		if ( $chosen > 0 && user_can( $chosen, 'edit_posts' ) ) {
			return $chosen;
		}
		$admins = get_users(
			array(
				'role'    => 'administrator',
				'orderby' => 'ID',
				'number'  => 1,
				'fields'  => 'ID',
			)
		);
		return $admins ? (int) $admins[0] : 0;
	}

	/**
	 * Returns the user with the name in a byline.
	 *
	 * @param string $name A display name, login or nice name.
	 * @return int 0 if no user or more than one has the name, or if the user may not write posts.
	 */
	public static function author( $name ) {
		// In a search, an asterisk at either end is a wildcard.
		if ( trim( $name, '*' ) !== $name ) {
			return 0;
		}
		$users = get_users(
			array(
				'search'         => $name,
				'search_columns' => array( 'display_name', 'user_login', 'user_nicename' ),
				'number'         => 2,
				'fields'         => 'ID',
			)
		);
		return 1 === count( $users ) && user_can( (int) $users[0], 'edit_posts' ) ? (int) $users[0] : 0;
	}
}
