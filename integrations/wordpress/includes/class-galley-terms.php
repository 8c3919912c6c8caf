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
			$results[] = wp_set_object_terms( $post_id, array_map( 'strval', $tags ), 'post_tag' );
		}
		if ( '' !== $category ) {
			$results[] = wp_set_object_terms( $post_id, array( $category ), 'category' );
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
