<?php
/**
 * Images.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Fetches images into the media library, each address once.
 */
final class Galley_Media {

	const SOURCE = '_galley_source';
	const TYPES  = array(
		'image/jpeg' => 'jpg',
		'image/png'  => 'png',
		'image/gif'  => 'gif',
		'image/webp' => 'webp',
	);

	/**
	 * Returns the attachment of an image address and sets its alternative text. Fetches the image if it is new.
	 *
	 * @param string $url     A public address.
	 * @param string $alt     Alternative text.
	 * @param int    $post_id The post it belongs to; 0 for none.
	 * @return int|WP_Error
	 */
	public static function attachment( $url, $alt, $post_id ) {
		$source = md5( $url );
		$id     = self::known( $source );
		if ( 0 === $id ) {
			$id = self::fetch( $url, $alt, $post_id );
		}
		if ( is_wp_error( $id ) ) {
			return $id;
		}
		update_post_meta( $id, self::SOURCE, $source );
		update_post_meta( $id, '_wp_attachment_image_alt', wp_slash( $alt ) );
		return $id;
	}

	/**
	 * Returns the attachment that was fetched from an address.
	 *
	 * @param string $source Hash of the address.
	 * @return int 0 if there is none.
	 */
	private static function known( $source ) {
		$ids = get_posts(
			array(
				'post_type'   => 'attachment',
				'post_status' => 'inherit',
				'fields'      => 'ids',
				'numberposts' => 1,
				'orderby'     => 'ID',
				'order'       => 'ASC',
				'meta_key'    => self::SOURCE, // phpcs:ignore WordPress.DB.SlowDBQuery -- meta_key is indexed, and few rows have this one.
				'meta_value'  => $source, // phpcs:ignore WordPress.DB.SlowDBQuery
			)
		);
		return $ids ? (int) $ids[0] : 0;
	}

	/**
	 * Fetches an image. WordPress itself refuses private addresses (wp_safe_remote_get).
	 *
	 * @param string $url     A public address.
	 * @param string $alt     Alternative text.
	 * @param int    $post_id The post it belongs to; 0 for none.
	 * @return int|WP_Error
	 */
	private static function fetch( $url, $alt, $post_id ) {
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$file = download_url( $url, 15 );
		if ( is_wp_error( $file ) ) {
			return $file;
		}
		// Read the type from the bytes; the address may have a wrong ending.
		$type = wp_get_image_mime( $file );
		if ( ! $type || ! isset( self::TYPES[ $type ] ) ) {
			wp_delete_file( $file );
			return new WP_Error( 'galley_not_an_image', __( 'The address has no image that this site accepts. Use a JPEG, PNG, GIF or WebP image.', 'galley' ), array( 'status' => 422 ) );
		}
		$stem = sanitize_file_name( pathinfo( (string) wp_parse_url( $url, PHP_URL_PATH ), PATHINFO_FILENAME ) );
		$name = ( '' === $stem ? 'image' : substr( $stem, 0, 80 ) ) . '.' . self::TYPES[ $type ];
		$id   = media_handle_sideload( array( 'name' => $name, 'tmp_name' => $file ), $post_id, '' === $alt ? null : $alt );
		if ( is_wp_error( $id ) ) {
			wp_delete_file( $file );
		}
		return $id;
	}
}
