<?php
// Images of the tests are served from loopback on any port; everything else outside stays unasked.
add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', fn($ports, $host, $url) => array_merge($ports, [(int) wp_parse_url($url, PHP_URL_PORT)]), 10, 3);
add_filter('pre_http_request', function ($answer, $arguments, $url) {
	return wp_parse_url($url, PHP_URL_HOST) === '127.0.0.1' ? $answer : new WP_Error('offline', 'No network in tests.');
}, 10, 3);

// A plugin that keeps REST for signed-in users, while the option is set.
add_filter(
	'rest_authentication_errors',
	static function ( $result ) {
		$is_closed = get_option( 'test_closed_rest' ) && ! is_user_logged_in();
		return $is_closed ? new WP_Error( 'rest_not_logged_in', 'Only signed-in users.', array( 'status' => 401 ) ) : $result;
	},
	99
);

// A plugin for reviews: a post that is to go live under a title that begins so waits for an editor.
add_filter(
	'wp_insert_post_data',
	static function ( $data, $given ) {
		$is_live = ! empty( $given['ID'] ) && 'publish' === get_post_status( $given['ID'] );
		if ( 'publish' === $data['post_status'] && ! $is_live && 0 === strpos( $data['post_title'], 'Held for review' ) ) {
			$data['post_status'] = 'pending';
		}
		return $data;
	},
	10,
	2
);

// A plugin with a round of its own for posts that are put away.
add_action( 'init', static fn() => register_post_status( 'archived', array( 'protected' => true ) ) );

// A plugin by which editors make another kind of a post.
add_action(
	'rest_after_insert_post',
	static function ( $post, $request ) {
		if ( $request['test_kind'] ) {
			set_post_type( $post->ID, $request['test_kind'] );
		}
	},
	10,
	2
);
// Custom fields as a theme or a plugin registers them. Nobody may write the locked one.
add_action('init', function () {
	foreach (['rating' => 'integer', 'featured' => 'boolean', 'layout' => 'string', 'locked' => 'string'] as $key => $type) {
		register_post_meta('post', $key, ['type' => $type, 'single' => true, 'show_in_rest' => true] + ($key === 'locked' ? ['auth_callback' => '__return_false'] : []));
	}
	register_post_meta('post', 'badges', ['type' => 'array', 'single' => true, 'show_in_rest' => ['schema' => ['type' => 'array', 'items' => ['type' => 'string']]]]);
});

// Writes down each change of a post, also one of nothing.
add_action('post_updated', static fn($id) => file_put_contents(WP_CONTENT_DIR . '/changed-posts.log', "$id\n", FILE_APPEND | LOCK_EX));
