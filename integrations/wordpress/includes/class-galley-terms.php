<?php
/**
 * Tags, categories and bylines.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Tags, categories and authors, all by name.
 */
final class Galley_Terms {

	/**
	 * Sets a post's tags and category; those that are not there are made.
	 *
	 * @param int      $post_id  The post.
	 * @param string[] $tags     Names; none leaves the post's tags as they are.
	 * @param string   $category A name; empty leaves the post's categories as they are.
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
				/* translators: %s: what WordPress says. */
				$notes[] = sprintf( __( 'Tags or category could not be set: %s', 'galley' ), $result->get_error_message() );
			}
		}
		return $notes;
	}

	/**
	 * Sets a post's terms by name. WordPress itself looks for the slug of a name first and takes "F" for "F#".
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
	 * The user articles are written as when their byline is no user here.
	 *
	 * @return int
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
	 * The user a byline names.
	 *
	 * @param string $name A display name or login.
	 * @return int 0 when no user, or more than one, has it.
	 */
	public static function author( $name ) {
		// At either end of a search an asterisk stands for anything.
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
