<?php
/**
 * Plugin Name:       Galley
 * Description:       Lets Galley publish articles to this site, each exactly once, and counts visits from AI assistants without data of readers.
 * Version:           1.5.0
 * Requires at least: 5.6
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       galley
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

define( 'GALLEY_VERSION', '1.5.0' );
define( 'GALLEY_NAMESPACE', 'galley/v1' );
define( 'GALLEY_FILE', __FILE__ );

require_once __DIR__ . '/includes/class-galley-key.php';
require_once __DIR__ . '/includes/class-galley-lock.php';
require_once __DIR__ . '/includes/class-galley-content.php';
require_once __DIR__ . '/includes/class-galley-seo.php';
require_once __DIR__ . '/includes/class-galley-structured-data.php';
require_once __DIR__ . '/includes/class-galley-media.php';
require_once __DIR__ . '/includes/class-galley-terms.php';
require_once __DIR__ . '/includes/class-galley-posts.php';
require_once __DIR__ . '/includes/class-galley-stored.php';
require_once __DIR__ . '/includes/class-galley-articles.php';
require_once __DIR__ . '/includes/class-galley-engines.php';
require_once __DIR__ . '/includes/class-galley-traffic.php';
require_once __DIR__ . '/includes/class-galley-abilities.php';
require_once __DIR__ . '/includes/class-galley-rest.php';
require_once __DIR__ . '/includes/class-galley-settings.php';

add_action( 'init', 'galley_load_textdomain' );
add_action( 'parse_request', array( 'Galley_Engines', 'serve' ), 0 );
add_action( 'init', array( 'Galley_Traffic', 'start' ) );
add_action( 'rest_api_init', array( 'Galley_Rest', 'register' ) );
add_filter( 'rest_authentication_errors', array( 'Galley_Key', 'let_through' ), PHP_INT_MAX );
add_action( 'admin_menu', array( 'Galley_Settings', 'register' ) );
add_action( 'admin_init', array( 'Galley_Settings', 'save' ) );
add_action( 'wp_head', array( 'Galley_Seo', 'print_description' ), 1 );
add_action( 'wp_head', array( 'Galley_Structured_Data', 'print_script' ) );
add_filter( 'pre_get_document_title', array( 'Galley_Seo', 'title' ) );
add_filter( 'get_canonical_url', array( 'Galley_Seo', 'canonical' ), 10, 2 );
add_filter( 'plugin_action_links_' . plugin_basename( __FILE__ ), array( 'Galley_Settings', 'links' ) );
add_action( 'template_redirect', array( 'Galley_Traffic', 'count_crawl' ) );
add_action( 'wp_enqueue_scripts', array( 'Galley_Traffic', 'add_script' ) );
add_action( Galley_Traffic::CLEAN, array( 'Galley_Traffic', 'clean' ) );
add_action( 'wp_abilities_api_categories_init', array( 'Galley_Abilities', 'register_category' ) );
add_action( 'wp_abilities_api_init', array( 'Galley_Abilities', 'register' ) );
register_deactivation_hook( __FILE__, array( 'Galley_Traffic', 'stop' ) );

/**
 * Loads the translations from the plugin's folder.
 */
function galley_load_textdomain() {
	load_plugin_textdomain( 'galley', false, dirname( plugin_basename( GALLEY_FILE ) ) . '/languages' );
}
