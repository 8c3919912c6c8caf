<?php
/**
 * The integration key.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The integration key, which the service sends with each request. Only its hash is stored.
 */
final class Galley_Key {

	const HASH      = 'galley_key_hash';
	const LAST_USE  = 'galley_last_use';
	const CONNECTED = 'galley_connected';

	/**
	 * Makes a new key. The earlier key stops working.
	 *
	 * @return string The key, which cannot be shown again: `wpk_`, 40 random hexadecimal digits, and 8 that check them.
	 */
	public static function renew() {
		$random = bin2hex( random_bytes( 20 ) );
		$key    = 'wpk_' . $random . sprintf( '%08x', crc32( $random ) );
		update_option( self::HASH, hash( 'sha256', $key ), false );
		delete_option( self::LAST_USE );
		delete_option( self::CONNECTED );
		return $key;
	}

	/**
	 * True if a key exists.
	 *
	 * @return bool
	 */
	public static function exists() {
		return '' !== (string) get_option( self::HASH, '' );
	}

	/**
	 * Returns true if the request has the current key, otherwise an error. Permission callback of every route.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return true|WP_Error
	 */
	public static function permit( $request ) {
		$hash = (string) get_option( self::HASH, '' );
		if ( '' === $hash ) {
			return new WP_Error( 'galley_no_key', __( 'This site has no integration key yet. Make one under Settings → Galley.', 'galley' ), array( 'status' => 401 ) );
		}
		$given = trim( (string) $request->get_header( 'X-Galley-Key' ) );
		if ( ! hash_equals( $hash, hash( 'sha256', $given ) ) ) {
			return new WP_Error( 'galley_bad_key', __( 'The integration key is wrong, or a newer key replaced it (Settings → Galley).', 'galley' ), array( 'status' => 401 ) );
		}
		self::note_use( (string) $request->get_header( 'User-Agent' ) );
		return true;
	}

	/**
	 * Lets requests to the plugin's routes reach its own check of the key, even if another plugin limits REST to signed-in users.
	 *
	 * @param mixed $result The decision of earlier filters.
	 * @return mixed
	 */
	public static function let_through( $result ) {
		$route = isset( $GLOBALS['wp']->query_vars['rest_route'] ) ? (string) $GLOBALS['wp']->query_vars['rest_route'] : '';
		return 0 === strpos( ltrim( $route, '/' ), GALLEY_NAMESPACE . '/' ) ? true : $result;
	}

	/**
	 * Stores the time and the service of the key's last use, at most once a minute.
	 *
	 * @param string $service The User-Agent header of the request.
	 */
	private static function note_use( $service ) {
		if ( time() - (int) get_option( self::LAST_USE, 0 ) < MINUTE_IN_SECONDS ) {
			return;
		}
		update_option( self::LAST_USE, time(), false );
		update_option( self::CONNECTED, substr( sanitize_text_field( $service ), 0, 100 ), false );
	}
}
