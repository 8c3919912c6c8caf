<?php
/**
 * Posts that are articles.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Finds posts and returns them for the service.
 */
final class Galley_Posts {

	const EXTERNAL = '_galley_external_id';
	const KEY      = '_galley_delivery';
	const CREATED  = '_galley_created';
	/** Statuses that do not count as posts: deleted, never saved, revisions. */
	const GONE = array( 'trash', 'auto-draft', 'inherit' );

	/**
	 * Returns the statuses of existing posts, including those that other plugins add.
	 *
	 * @return string[]
	 */
	public static function statuses() {
		return array_values( array_diff( get_post_stati(), self::GONE ) );
	}

	/**
	 * Returns the post of an article. Posts in the trash do not count.
	 *
	 * @param string $external_id The article's id at the service.
	 * @return WP_Post|null
	 */
	public static function by_external( $external_id ) {
		$found = get_posts(
			array(
				'post_type'        => 'post',
				'post_status'      => self::statuses(),
				'numberposts'      => 1,
				'orderby'          => 'ID',
				'order'            => 'ASC',
				'suppress_filters' => true,
				'meta_key'         => self::EXTERNAL, // phpcs:ignore WordPress.DB.SlowDBQuery -- meta_key is indexed, and few rows have this one.
				'meta_value'       => $external_id, // phpcs:ignore WordPress.DB.SlowDBQuery
			)
		);
		return $found ? $found[0] : null;
	}

	/**
	 * Returns a post by its own id. Posts in the trash do not count.
	 *
	 * @param int $id The post's id.
	 * @return WP_Post|null
	 */
	public static function by_id( $id ) {
		$post = $id > 0 ? get_post( $id ) : null;
		return $post && 'post' === $post->post_type && ! in_array( $post->post_status, self::GONE, true ) ? $post : null;
	}

	/**
	 * Returns the refusal if people turned an article's post into a page or another post type; otherwise null.
	 *
	 * @param int $id The post's id.
	 * @return WP_Error|null
	 */
	public static function made_another( $id ) {
		$post = $id > 0 ? get_post( $id ) : null;
		if ( ! $post || 'post' === $post->post_type || in_array( $post->post_status, self::GONE, true ) ) {
			return null;
		}
		if ( ! self::is_article( $post ) && '' === (string) get_post_meta( $post->ID, self::CREATED, true ) ) {
			return null;
		}
		/* translators: 1: a kind of post, 2: a title, 3: an address. */
		$reason = sprintf( __( 'The post is a %1$s now ("%2$s", %3$s), so it was not changed. Make it a post again, or detach the article from it.', 'galley' ), $post->post_type, $post->post_title, get_permalink( $post ) );
		return new WP_Error( 'galley_other_kind', $reason, array( 'status' => 409 ) );
	}

	/**
	 * True if a post was made from an article: by this plugin, also by an earlier installation, or by the service without it.
	 *
	 * Without the plugin, the service writes the article's id in a comment.
	 *
	 * @param WP_Post $post        The post.
	 * @param string  $external_id The article's id at the service.
	 * @return bool
	 */
	public static function bore_mark( $post, $external_id ) {
		return '' !== (string) get_post_meta( $post->ID, self::CREATED, true )
			|| '' !== (string) get_post_meta( $post->ID, self::EXTERNAL, true )
			|| false !== strpos( $post->post_content, '<!-- ' . $external_id . ' -->' );
	}

	/**
	 * True if a post has an article's id in its meta, or in the comment that the service writes without the plugin.
	 *
	 * @param WP_Post $post The post.
	 * @return bool
	 */
	public static function is_article( $post ) {
		return '' !== (string) get_post_meta( $post->ID, self::EXTERNAL, true )
			|| 1 === preg_match( '~<!-- galley-[0-9a-z]+-[0-9a-z-]+ -->~', $post->post_content );
	}

	/**
	 * True if a post belongs to another article.
	 *
	 * @param WP_Post $post        The post.
	 * @param string  $external_id The article's id at the service.
	 * @return bool
	 */
	public static function is_of_another( $post, $external_id ) {
		$mark = (string) get_post_meta( $post->ID, self::EXTERNAL, true );
		return '' !== $mark && $mark !== $external_id;
	}

	/**
	 * Returns the post with a slug, also if it was not made from an article.
	 *
	 * @param string $slug The slug.
	 * @return WP_Post|null
	 */
	public static function by_slug( $slug ) {
		$found = get_posts(
			array(
				'name'             => $slug,
				'post_type'        => 'post',
				'post_status'      => self::statuses(),
				'numberposts'      => 1,
				'suppress_filters' => true,
			)
		);
		return $found ? $found[0] : null;
	}

	/**
	 * Returns a post as the service receives it.
	 *
	 * @param WP_Post $post    The post.
	 * @param array   $further More fields.
	 * @return array
	 */
	public static function present( $post, $further = array() ) {
		$is_public = 'publish' === $post->post_status;
		return array_merge(
			array(
				'id'           => (int) $post->ID,
				'external_id'  => (string) get_post_meta( $post->ID, self::EXTERNAL, true ),
				'status'       => $post->post_status,
				'slug'         => $post->post_name,
				'title'        => $post->post_title,
				'url'          => $is_public ? (string) get_permalink( $post ) : null,
				'has_password' => '' !== $post->post_password,
				'created_at'   => self::created_at( $post ),
			),
			$further
		);
	}

	/**
	 * Returns when the post was created: the stored time, otherwise the post's date, which people can set back.
	 *
	 * @param WP_Post $post The post.
	 * @return string|null ISO 8601, UTC; null if unknown.
	 */
	private static function created_at( $post ) {
		$kept = (string) get_post_meta( $post->ID, self::CREATED, true );
		if ( '' !== $kept ) {
			return $kept;
		}
		return '0000-00-00 00:00:00' === $post->post_date_gmt ? null : str_replace( ' ', 'T', $post->post_date_gmt ) . 'Z';
	}

	/**
	 * Returns the fields that Galley_Articles::restore() puts back, and the names of tags and categories.
	 *
	 * The title and the canonical address for search engines are included for posts that the site had before.
	 *
	 * @param WP_Post $post The post.
	 * @return array
	 */
	public static function version( $post ) {
		$categories = wp_get_post_categories( $post->ID, array( 'fields' => 'id=>name' ) );
		unset( $categories[ (int) get_option( 'default_category' ) ] );
		$seo     = Galley_Seo::values( $post->ID );
		$adopted = self::is_article( $post ) ? array() : array(
			'adopted'   => true,
			'seo_title' => $seo['title'],
			'canonical' => $seo['canonical'],
		);
		return $adopted + array(
			'title'          => $post->post_title,
			'content'        => $post->post_content,
			'excerpt'        => $post->post_excerpt,
			'description'    => $seo['description'],
			'author'         => (int) $post->post_author,
			'image'          => (int) get_post_thumbnail_id( $post ),
			'tags'           => array_map( 'intval', wp_get_post_tags( $post->ID, array( 'fields' => 'ids' ) ) ),
			'tag_names'      => array_values( wp_get_post_tags( $post->ID, array( 'fields' => 'names' ) ) ),
			'categories'     => array_map( 'intval', wp_get_post_categories( $post->ID ) ),
			'category_names' => array_values( $categories ),
		);
	}
}
