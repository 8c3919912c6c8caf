<?php
/**
 * Deletes the plugin's options, locks, counts and post meta. Posts and images stay.
 *
 * The meta key `_galley_created` also stays. With it, a later installation recognizes the posts that were made from articles.
 *
 * @package Galley
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Deletes the plugin's data from one site.
 */
function galley_uninstall_site() {
	global $wpdb;
	foreach ( array( 'galley_key_hash', 'galley_last_use', 'galley_connected', 'galley_author', 'galley_engine_key', 'galley_traffic_since' ) as $option ) {
		delete_option( $option );
	}
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- Runs once, and WordPress has no function for it.
	$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like( 'galley_lock_' ) . '%' ) );
	wp_clear_scheduled_hook( 'galley_forget_traffic' );
	// phpcs:ignore WordPress.DB -- the plugin's own table.
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}galley_traffic" );
	foreach ( array( '_galley_external_id', '_galley_delivery', '_galley_description', '_galley_title', '_galley_canonical', '_galley_seo', '_galley_structured_data', '_galley_source' ) as $key ) {
		delete_post_meta_by_key( $key );
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $galley_site ) {
		switch_to_blog( $galley_site );
		galley_uninstall_site();
		restore_current_blog();
	}
} else {
	galley_uninstall_site();
}
