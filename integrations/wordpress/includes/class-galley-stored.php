<?php
/**
 * Posts that the site already had.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Lists and reads the posts of the site, and guards changes of posts that the service did not make.
 *
 * The text of such a post is stored exactly as it was sent, so that blocks that nobody changed keep every byte.
 */
final class Galley_Stored {

	const PAGE = 100;

	/** Seconds for which the editor of WordPress holds a post. */
	const OPEN_S = 150;

	/** Number of revisions that are searched for parts of a text. */
	const REVISIONS = 20;

	/** Filters of WordPress that change a text while it is saved, whatever the rights of its author. */
	const FILTERS = array( 'convert_invalid_entities', 'balanceTags', 'wp_targeted_link_rel' );

	/** Meta keys by which page builders mark the posts whose data they have, with the value; empty for any. */
	const BUILDERS = array(
		'Elementor'      => array( '_elementor_edit_mode', 'builder' ),
		'Divi'           => array( '_et_pb_use_builder', 'on' ),
		'WPBakery'       => array( '_wpb_vc_js_status', 'true' ),
		'Bricks'         => array( '_bricks_editor_mode', 'bricks' ),
		'Beaver Builder' => array( '_fl_builder_enabled', '1' ),
		'Oxygen'         => array( 'ct_builder_shortcodes', '' ),
		'Breakdance'     => array( '_breakdance_data', '' ),
		'SiteOrigin'     => array( 'panels_data', '' ),
		'Brizy'          => array( 'brizy_post_uid', '' ),
	);

	/**
	 * Returns the posts after an id, in the order of their ids, so that new posts move no other.
	 *
	 * @param int $after The id.
	 * @return array
	 */
	public static function page( $after ) {
		global $wpdb;
		$statuses = Galley_Posts::statuses();
		$marks    = implode( ', ', array_fill( 0, count( $statuses ), '%s' ) );
		// phpcs:disable WordPress.DB -- WordPress has no query by ids above another; $marks has placeholders only.
		$ids   = $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM {$wpdb->posts} WHERE post_type = 'post' AND post_status IN ($marks) AND ID > %d ORDER BY ID LIMIT %d", array_merge( $statuses, array( $after, self::PAGE + 1 ) ) ) );
		$total = (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM {$wpdb->posts} WHERE post_type = 'post' AND post_status IN ($marks)", $statuses ) );
		// phpcs:enable
		$shown = array_map( 'intval', array_slice( $ids, 0, self::PAGE ) );
		_prime_post_caches( $shown, false, true );
		return array(
			'posts' => array_map( array( __CLASS__, 'listed' ), array_values( array_filter( array_map( 'get_post', $shown ) ) ) ),
			'next'  => count( $ids ) > self::PAGE ? end( $shown ) : 0,
			'total' => $total,
		);
	}

	/**
	 * Returns a post as lists have it.
	 *
	 * @param WP_Post $post The post.
	 * @return array
	 */
	private static function listed( $post ) {
		$author = get_userdata( (int) $post->post_author );
		return array(
			'id'           => (int) $post->ID,
			'title'        => $post->post_title,
			'url'          => 'publish' === $post->post_status ? (string) get_permalink( $post ) : null,
			'status'       => $post->post_status,
			'date_gmt'     => self::time( $post->post_date_gmt ),
			'modified_gmt' => self::time( $post->post_modified_gmt ),
			'author'       => $author ? $author->display_name : null,
			'language'     => self::language( $post->ID ),
		);
	}

	/**
	 * Returns a time of the database, or null for none.
	 *
	 * @param string $time The time.
	 * @return string|null
	 */
	private static function time( $time ) {
		return '0000-00-00 00:00:00' === $time ? null : str_replace( ' ', 'T', $time );
	}

	/**
	 * Returns the language of a post from Polylang or WPML.
	 *
	 * @param int $id The post.
	 * @return string|null
	 */
	private static function language( $id ) {
		if ( function_exists( 'pll_get_post_language' ) ) {
			$language = pll_get_post_language( $id, 'slug' );
			return $language ? (string) $language : null;
		}
		$details = apply_filters( 'wpml_post_language_details', null, $id ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals -- a filter of WPML.
		return is_array( $details ) && ! empty( $details['language_code'] ) ? (string) $details['language_code'] : null;
	}

	/**
	 * Returns a post with its stored text. The post's password is not returned.
	 *
	 * @param WP_Post $post The post.
	 * @return array
	 */
	public static function whole( $post ) {
		$image = (int) get_post_thumbnail_id( $post );
		$seo   = Galley_Seo::values( $post->ID );
		return self::listed( $post ) + array(
			'slug'         => $post->post_name,
			'content'      => $post->post_content,
			'excerpt'      => $post->post_excerpt,
			'description'  => '' === $seo['description'] ? $post->post_excerpt : $seo['description'],
			'seo_title'    => $seo['title'],
			'canonical'    => $seo['canonical'],
			'tags'         => array_values( wp_get_post_tags( $post->ID, array( 'fields' => 'names' ) ) ),
			'categories'   => array_values( wp_get_post_categories( $post->ID, array( 'fields' => 'names' ) ) ),
			'image_url'    => $image > 0 ? (string) wp_get_attachment_url( $image ) : '',
			'image_alt'    => $image > 0 ? (string) get_post_meta( $image, '_wp_attachment_image_alt', true ) : '',
			'has_password' => '' !== $post->post_password,
			'builder'      => self::builder( $post->ID ),
		);
	}

	/**
	 * Returns the page builder that draws a post from its own data; empty if the text is what readers see.
	 *
	 * @param int $id The post.
	 * @return string
	 */
	private static function builder( $id ) {
		foreach ( self::BUILDERS as $name => $sign ) {
			list( $key, $value ) = $sign;
			$now = get_post_meta( $id, $key, true );
			if ( '' === $value ? ! empty( $now ) : (string) $value === ( is_scalar( $now ) ? (string) $now : '' ) ) {
				return $name;
			}
		}
		return '';
	}

	/**
	 * Returns the refusal of a change of a post; null if it can be made.
	 *
	 * Refuses while somebody has the post open, because their next save would replace the change.
	 *
	 * @param WP_Post $post The post.
	 * @return WP_Error|null
	 */
	public static function open_elsewhere( $post ) {
		$lock = explode( ':', (string) get_post_meta( $post->ID, '_edit_lock', true ) );
		if ( (int) $lock[0] <= time() - self::OPEN_S ) {
			return null;
		}
		$user = get_userdata( isset( $lock[1] ) ? (int) $lock[1] : 0 );
		/* translators: %s: a name. */
		return new WP_Error( 'galley_open_busy', sprintf( __( '%s has the post open in the editor, so it was not changed.', 'galley' ), $user ? $user->display_name : __( 'Somebody', 'galley' ) ), array( 'status' => 409 ) );
	}

	/**
	 * Returns the refusal of a text; null if it can be stored as it is.
	 *
	 * @param WP_Post $post    The post.
	 * @param string  $content The text.
	 * @param string  $base    SHA-256 of the text that it was made of; empty if it is an earlier text of the post.
	 * @return WP_Error|null
	 */
	public static function text_refusal( $post, $content, $base ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- an object cache could hide a change of a moment ago.
		$now = (string) $wpdb->get_var( $wpdb->prepare( "SELECT post_content FROM {$wpdb->posts} WHERE ID = %d", $post->ID ) );
		if ( '' !== $base && hash( 'sha256', $now ) !== $base ) {
			return new WP_Error( 'galley_changed', __( 'Somebody changed the post at the same moment, so it was not changed.', 'galley' ), array( 'status' => 409 ) );
		}
		$known = array( $now );
		foreach ( wp_get_post_revisions( $post->ID, array( 'posts_per_page' => self::REVISIONS ) ) as $revision ) {
			$known[] = $revision->post_content;
		}
		$added = Galley_Content::added_part( $content, implode( "\n", $known ) );
		return '' === $added
			? null
			/* translators: %s: a piece of HTML. */
			: new WP_Error( 'galley_active', sprintf( __( 'The text would add a part that the integration key may not write: %s. Nothing was changed.', 'galley' ), substr( $added, 0, 200 ) ), array( 'status' => 422 ) );
	}

	/**
	 * Saves the text as it is among the revisions of WordPress, which otherwise keep only new texts.
	 *
	 * @param int $id The post.
	 */
	public static function keep_original( $id ) {
		wp_save_post_revision( $id );
	}

	/**
	 * Saves a post without the filters that change texts. Returns a note if something else at the site changed the text.
	 *
	 * @param array    $fields The fields.
	 * @param callable $save   Saves them, and returns the post or an error.
	 * @param string[] $notes  Notes are added here.
	 * @return int|WP_Error
	 */
	public static function save_exactly( $fields, $save, &$notes ) {
		global $wpdb;
		$removed = array();
		foreach ( self::FILTERS as $name ) {
			$priority = has_filter( 'content_save_pre', $name );
			if ( false !== $priority ) {
				remove_filter( 'content_save_pre', $name, $priority );
				$removed[ $name ] = $priority;
			}
		}
		try {
			$id = call_user_func( $save );
		} finally {
			foreach ( $removed as $name => $priority ) {
				add_filter( 'content_save_pre', $name, $priority );
			}
		}
		if ( ! is_wp_error( $id ) && isset( $fields['post_content'] ) ) {
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- what readers get is what the row has.
			$now = $wpdb->get_var( $wpdb->prepare( "SELECT post_content FROM {$wpdb->posts} WHERE ID = %d", $id ) );
			if ( $now !== $fields['post_content'] ) {
				$notes[] = __( 'A plugin of this site changed the text when WordPress saved it.', 'galley' );
			}
		}
		return $id;
	}
}
