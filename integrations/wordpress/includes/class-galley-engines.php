<?php
/**
 * The key file of IndexNow.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The key of IndexNow. The site serves it as `<key>.txt`, which shows search engines that the owner reports its changes.
 */
final class Galley_Engines {

	const KEY = 'galley_engine_key';

	/**
	 * Stores the key.
	 *
	 * @param string $key The key: letters, digits and hyphens.
	 * @return string The address of its file.
	 */
	public static function save( $key ) {
		update_option( self::KEY, $key );
		return self::location( $key );
	}

	/**
	 * Returns the address of a key's file.
	 *
	 * @param string $key The key.
	 * @return string
	 */
	private static function location( $key ) {
		return home_url( '/' . $key . '.txt' );
	}

	/**
	 * Answers a request for the key file. Other requests go on.
	 */
	public static function serve() {
		$key = (string) get_option( self::KEY, '' );
		if ( '' === $key || ! isset( $_SERVER['REQUEST_URI'] ) ) {
			return;
		}
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- Only compared.
		$path = wp_parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
		if ( wp_parse_url( self::location( $key ), PHP_URL_PATH ) !== $path ) {
			return;
		}
		status_header( 200 );
		header( 'Content-Type: text/plain; charset=utf-8' );
		header( 'X-Robots-Tag: noindex' );
		// phpcs:ignore WordPress.Security.EscapeOutput -- The pattern of its route allows letters, digits and hyphens.
		echo $key;
		exit;
	}
}
