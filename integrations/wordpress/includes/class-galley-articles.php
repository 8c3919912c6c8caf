<?php
/**
 * Saving articles.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Saves articles as posts. Each article has one post, even if a request is sent twice or two arrive at once.
 */
final class Galley_Articles {

	/** The parts of an article. */
	const PARTS = array( 'title', 'content', 'description', 'image', 'tags', 'category', 'author', 'seo_title', 'canonical' );

	/**
	 * Creates or changes the post of an article. A repeated delivery changes nothing, unless the post was changed since.
	 *
	 * @param string $external_id The article's id at the service.
	 * @param array  $article     The checked body.
	 * @param string $delivery    The delivery's idempotency key; empty if it has none.
	 * @return array|WP_Error
	 */
	public static function save( $external_id, $article, $delivery ) {
		return Galley_Lock::hold(
			'article ' . $external_id,
			static function () use ( $external_id, $article, $delivery ) {
				$post = self::find( $external_id, $article['id'], $article['adopted'] );
				if ( is_wp_error( $post ) ) {
					return $post;
				}
				if ( $post && '' !== $delivery && self::stamp( $post, $delivery ) === get_post_meta( $post->ID, Galley_Posts::KEY, true ) ) {
					return Galley_Posts::present( $post, array( 'created' => false, 'unchanged' => true, 'notes' => array() ) );
				}
				if ( ! $post && ( ! $article['create'] || $article['adopted'] ) ) {
					return new WP_Error( 'galley_not_found', __( 'The post no longer exists on this site, so nothing was changed.', 'galley' ), array( 'status' => 404 ) );
				}
				return self::write( $post, $external_id, $article, $delivery );
			}
		);
	}

	/**
	 * Returns the article's post, found by the post's id or otherwise by the article's id; null if there is none.
	 *
	 * Refuses a post that was not made from an article or belongs to another article.
	 * Refuses a post that people turned into a page or another post type.
	 *
	 * @param string $external_id The article's id.
	 * @param int    $id          The post's id that the service sent; 0 if it sent none.
	 * @param bool   $adopted     True if the site had the post before.
	 * @return WP_Post|WP_Error|null
	 */
	private static function find( $external_id, $id, $adopted ) {
		$post = Galley_Posts::by_id( $id );
		if ( ! $post ) {
			$other = Galley_Posts::made_another( $id );
			return $other ? $other : Galley_Posts::by_external( $external_id );
		}
		if ( Galley_Posts::is_of_another( $post, $external_id ) ) {
			return self::other_article();
		}
		return $adopted || Galley_Posts::bore_mark( $post, $external_id ) ? $post : self::not_ours();
	}

	/**
	 * Returns the refusal for a post that was not made from an article.
	 *
	 * @return WP_Error
	 */
	public static function not_ours() {
		return new WP_Error( 'galley_not_ours', __( 'That post was not made from an article, so it was not changed. Detach the article from it.', 'galley' ), array( 'status' => 409 ) );
	}

	/**
	 * Returns the refusal for a post that belongs to another article.
	 *
	 * @return WP_Error
	 */
	public static function other_article() {
		return new WP_Error( 'galley_other_article', __( 'That post belongs to another article, so it was not changed. Detach this article from it.', 'galley' ), array( 'status' => 409 ) );
	}

	/**
	 * Returns a fingerprint of the delivery and of the post as it is now.
	 *
	 * If it differs later, the post was changed since. The time of the last change is not enough: WordPress stores whole seconds.
	 *
	 * @param WP_Post $post     The post.
	 * @param string  $delivery The delivery's idempotency key.
	 * @return string
	 */
	private static function stamp( $post, $delivery ) {
		$terms = wp_get_object_terms( $post->ID, array( 'post_tag', 'category' ), array( 'fields' => 'tt_ids' ) );
		$parts = array( $post->post_title, $post->post_content, $post->post_excerpt, $post->post_name, (int) get_post_thumbnail_id( $post ), $terms );
		return $delivery . ' ' . $post->post_status . ' ' . $post->post_modified_gmt . ' ' . md5( wp_json_encode( $parts ) );
	}

	/**
	 * Writes the post, its terms, its image and its fields for search engines. Publishes it if the article asks for that.
	 *
	 * @param WP_Post|null $post        The post to change, if there is one.
	 * @param string       $external_id The article's id.
	 * @param array        $article     The checked body.
	 * @param string       $delivery    The delivery's idempotency key.
	 * @return array|WP_Error
	 */
	private static function write( $post, $external_id, $article, $delivery ) {
		$notes  = array();
		$only   = $article['adopted'] || ( $post && $article['only'] ) ? $article['only'] : self::PARTS;
		$fields = self::fields( $post, $article, $only, $notes );
		$refuse = $article['adopted'] ? self::adopted_refusal( $post, $fields, $article['base'] ) : null;
		if ( $refuse ) {
			return $refuse;
		}
		// An existing post's SEO fields are stored first, because SEO plugins read them when the post is saved.
		$notes = $post ? array_merge( $notes, self::store_seo( $post->ID, $article, $only ) ) : $notes;
		$id    = $post ? self::change( $post, $fields, $article['adopted'], $notes ) : self::make( $external_id, $fields );
		if ( is_wp_error( $id ) ) {
			return $id;
		}
		if ( ! $article['adopted'] ) {
			$notes = $post ? $notes : array_merge( $notes, self::store_seo( $id, $article, $only ) );
			update_post_meta( $id, Galley_Posts::EXTERNAL, $external_id );
			if ( self::is_sent( 'content', $only ) ) {
				Galley_Structured_Data::store( $id, $article['json_ld'] );
			}
		}
		$tags     = self::is_sent( 'tags', $only ) ? $article['tags'] : array();
		$category = self::is_sent( 'category', $only ) ? $article['category'] : '';
		$image    = self::is_sent( 'image', $only ) ? $article['image_url'] : '';
		$notes    = array_merge( $notes, Galley_Terms::store( $id, $tags, $category ), self::set_image( $id, $image, $article['alt_text'] ) );
		if ( 'publish' === $article['status'] && 'publish' !== get_post_status( $id ) ) {
			// WordPress checks the slug of a draft only when it is published.
			$slug  = get_post( $id )->post_name;
			$shown = self::show( $id, $article['date_gmt'] );
			if ( is_wp_error( $shown ) ) {
				return $shown;
			}
			$notes = array_merge( $notes, self::slug_notes( $id, $slug ) );
		}
		$now = get_post( $id );
		if ( '' !== $delivery ) {
			update_post_meta( $id, Galley_Posts::KEY, self::stamp( $now, $delivery ) );
		}
		return Galley_Posts::present( $now, array( 'created' => ! $post, 'unchanged' => false, 'notes' => $notes ) );
	}

	/**
	 * Stores the description, title and canonical address for search engines.
	 *
	 * A post that the site had before has its description in the excerpt, unless an SEO plugin has it.
	 *
	 * @param int      $id      The post.
	 * @param array    $article The checked body.
	 * @param string[] $only    The parts to write.
	 * @return string[] Notes.
	 */
	private static function store_seo( $id, $article, $only ) {
		$fields = array();
		foreach ( array( 'description' => 'description', 'seo_title' => 'title', 'canonical' => 'canonical' ) as $part => $field ) {
			$is_excerpt = $article['adopted'] && 'description' === $part && self::describes_in_excerpt();
			if ( self::is_sent( $part, $only ) && ! $is_excerpt ) {
				$fields[ $field ] = 'canonical' === $part ? esc_url_raw( $article[ $part ] ) : $article[ $part ];
			}
		}
		return $fields ? Galley_Seo::store( $id, $fields, $article['adopted'] ) : array();
	}

	/**
	 * True if no SEO plugin that this one can write to has the description of posts.
	 *
	 * @return bool
	 */
	private static function describes_in_excerpt() {
		return in_array( Galley_Seo::plugin(), array( '', 'other' ), true );
	}

	/**
	 * Returns the refusal of a change of a post that the site had before; null if it can be made.
	 *
	 * @param WP_Post $post   The post.
	 * @param array   $fields The post's fields.
	 * @param string  $base   SHA-256 of the text that the new one was made of; empty for an earlier text.
	 * @return WP_Error|null
	 */
	private static function adopted_refusal( $post, $fields, $base ) {
		$open = Galley_Stored::open_elsewhere( $post );
		return $open || ! isset( $fields['post_content'] ) ? $open : Galley_Stored::text_refusal( $post, $fields['post_content'], $base );
	}

	/**
	 * True if the request writes this part of the article.
	 *
	 * @param string   $part The part.
	 * @param string[] $only The parts to write.
	 * @return bool
	 */
	private static function is_sent( $part, $only ) {
		return in_array( $part, $only, true );
	}

	/**
	 * Returns the fields to write to the post itself.
	 *
	 * @param WP_Post|null $post    The post to change, if there is one.
	 * @param array        $article The checked body.
	 * @param string[]     $only    The parts to write.
	 * @param string[]     $notes   Notes are added here.
	 * @return array
	 */
	private static function fields( $post, $article, $only, &$notes ) {
		$parts  = array(
			'title'       => 'post_title',
			'content'     => 'post_content',
			'description' => 'post_excerpt',
		);
		if ( $article['adopted'] && ! self::describes_in_excerpt() ) {
			unset( $parts['description'] );
		}
		$fields = array( 'post_name' => $article['slug'] );
		foreach ( $parts as $part => $field ) {
			if ( self::is_sent( $part, $only ) ) {
				$fields[ $field ] = 'content' === $part && ! $article['adopted'] ? Galley_Content::clean( $article[ $part ] ) : $article[ $part ];
			}
		}
		if ( ! self::is_sent( 'author', $only ) ) {
			return $fields;
		}
		$author = '' === $article['author'] ? 0 : Galley_Terms::author( $article['author'] );
		if ( '' !== $article['author'] && 0 === $author ) {
			/* translators: %s: a name. */
			$notes[] = sprintf( __( 'The byline was not set: this site needs exactly one user named "%s" who may write posts.', 'galley' ), $article['author'] );
		}
		if ( $author > 0 || ! $post ) {
			$fields['post_author'] = $author > 0 ? $author : Galley_Terms::default_author();
		}
		return $fields;
	}

	/**
	 * Creates the post as a draft, so that readers do not see it before it is complete.
	 *
	 * @param string $external_id The article's id.
	 * @param array  $fields      The post's fields.
	 * @return int|WP_Error
	 */
	private static function make( $external_id, $fields ) {
		$fields['post_type']   = 'post';
		$fields['post_status'] = 'draft';
		$fields['meta_input']  = array(
			Galley_Posts::EXTERNAL => $external_id,
			Galley_Posts::CREATED  => gmdate( 'Y-m-d\TH:i:s\Z' ),
		);
		return Galley_Lock::hold(
			'slugs',
			static function () use ( $fields ) {
				$holder = self::holder( $fields['post_name'], 0 );
				return null === $holder ? self::insert( $fields ) : self::slug_taken( $holder );
			}
		);
	}

	/**
	 * Changes the fields of an existing post, but not its slug or status.
	 *
	 * @param WP_Post  $post    The post.
	 * @param array    $fields  The post's fields.
	 * @param bool     $adopted True to store the text exactly as it is, after a revision with the present one.
	 * @param string[] $notes   Notes are added here.
	 * @return int|WP_Error
	 */
	private static function change( $post, $fields, $adopted, &$notes ) {
		unset( $fields['post_name'] );
		$fields['ID'] = $post->ID;
		if ( ! $adopted ) {
			return self::insert( $fields );
		}
		$save = static function () use ( $fields ) {
			return self::unfiltered(
				static function () use ( $fields ) {
					// WordPress filters the copy, too, for users who may not post unfiltered HTML.
					Galley_Stored::keep_original( $fields['ID'] );
					return wp_update_post( wp_slash( $fields ), true );
				}
			);
		};
		return Galley_Stored::save_exactly( $fields, $save, $notes );
	}

	/**
	 * Saves fields as the default author, without WordPress's HTML filters: the fields are already cleaned.
	 *
	 * @param array $fields The post's fields.
	 * @return int|WP_Error
	 */
	private static function insert( $fields ) {
		return self::unfiltered(
			static function () use ( $fields ) {
				return isset( $fields['ID'] ) ? wp_update_post( wp_slash( $fields ), true ) : wp_insert_post( wp_slash( $fields ), true );
			}
		);
	}

	/**
	 * Does work as the default author, without WordPress's HTML filters.
	 *
	 * @param callable $work The work.
	 * @return mixed The result of the work.
	 */
	private static function unfiltered( $work ) {
		$user = get_current_user_id();
		wp_set_current_user( Galley_Terms::default_author() );
		kses_remove_filters();
		try {
			return call_user_func( $work );
		} finally {
			wp_set_current_user( $user );
			kses_init();
		}
	}

	/**
	 * Publishes a post, unless another post or page has its address.
	 *
	 * @param int    $id       The post.
	 * @param string $date_gmt The post's date in UTC; empty for the present time.
	 * @return int|WP_Error
	 */
	private static function show( $id, $date_gmt ) {
		return Galley_Lock::hold(
			'slugs',
			static function () use ( $id, $date_gmt ) {
				$post = get_post( $id );
				$holder = self::holder( $post->post_name, $id );
				if ( null !== $holder ) {
					return self::slug_taken( $holder );
				}
				// WordPress schedules a post with a future date instead of publishing it.
				$gmt = '' !== $date_gmt && strtotime( $date_gmt . ' UTC' ) <= time() ? $date_gmt : gmdate( 'Y-m-d H:i:s' );
				return self::insert(
					array(
						'ID'            => $id,
						'post_status'   => 'publish',
						'edit_date'     => true,
						'post_date_gmt' => $gmt,
						'post_date'     => get_date_from_gmt( $gmt ),
					)
				);
			}
		);
	}

	/**
	 * Returns the other post that has this slug, or the published page at the same address; null if there is none.
	 *
	 * Also null for words that WordPress reserves, such as `feed`: WordPress adds a number to them.
	 *
	 * @param string $slug The slug.
	 * @param int    $id   The post; 0 if it does not exist yet.
	 * @return WP_Post|null
	 */
	private static function holder( $slug, $id ) {
		$post = Galley_Posts::by_slug( $slug );
		if ( $post && $post->ID !== $id ) {
			return $post;
		}
		$page = '%postname%' === trim( (string) get_option( 'permalink_structure' ), '/' ) ? get_page_by_path( $slug ) : null;
		return $page && 'publish' === $page->post_status ? $page : null;
	}

	/**
	 * Returns the refusal for a slug that is taken.
	 *
	 * @param WP_Post $holder The post or page that has it.
	 * @return WP_Error
	 */
	private static function slug_taken( $holder ) {
		return 'page' === $holder->post_type
			/* translators: 1: a title, 2: an address. */
			? new WP_Error( 'galley_page_there', sprintf( __( 'The page "%1$s" has the address %2$s, and readers would see it instead of the post. Change the article\'s slug, or move the page.', 'galley' ), $holder->post_title, get_permalink( $holder ) ), array( 'status' => 409 ) )
			: new WP_Error( 'slug_taken', __( 'Another post already has this slug. Change the slug of the article or of that post.', 'galley' ), array( 'status' => 409 ) );
	}

	/**
	 * Returns a note if WordPress changed the requested slug.
	 *
	 * @param int    $id   The post.
	 * @param string $slug The requested slug.
	 * @return string[] Notes.
	 */
	private static function slug_notes( $id, $slug ) {
		$now = get_post( $id )->post_name;
		return $now === $slug
			? array()
			/* translators: 1: a slug, 2: a slug. */
			: array( sprintf( __( 'WordPress keeps the slug "%1$s" for itself, so the post has the slug "%2$s".', 'galley' ), $slug, $now ) );
	}

	/**
	 * Sets the feature image. Returns a note if the image cannot be added; the article is saved anyway.
	 *
	 * @param int    $id  The post.
	 * @param string $url The image's address; empty leaves the image as it is.
	 * @param string $alt Alternative text.
	 * @return string[] Notes.
	 */
	private static function set_image( $id, $url, $alt ) {
		if ( '' === $url ) {
			return array();
		}
		$image = Galley_Media::attachment( $url, $alt, $id );
		if ( is_wp_error( $image ) ) {
			/* translators: %s: the error message of WordPress. */
			return array( sprintf( __( 'The feature image could not be added: %s', 'galley' ), $image->get_error_message() ) );
		}
		set_post_thumbnail( $id, $image );
		return array();
	}

	/**
	 * Makes a post a draft. Its slug and date stay.
	 *
	 * @param WP_Post $post The post.
	 * @return array|WP_Error
	 */
	public static function take_down( $post ) {
		return Galley_Lock::hold(
			'article ' . get_post_meta( $post->ID, Galley_Posts::EXTERNAL, true ),
			static function () use ( $post ) {
				$id = self::insert(
					array(
						'ID'          => $post->ID,
						'post_status' => 'draft',
					)
				);
				if ( is_wp_error( $id ) ) {
					return $id;
				}
				delete_post_meta( $id, Galley_Posts::KEY );
				return Galley_Posts::present( get_post( $id ), array( 'created' => false, 'unchanged' => false, 'notes' => array() ) );
			}
		);
	}

	/**
	 * Restores an earlier version of a post.
	 *
	 * @param WP_Post $post    The post.
	 * @param array   $version Fields that Galley_Posts::version() returned.
	 * @return array|WP_Error
	 */
	public static function restore( $post, $version ) {
		return Galley_Lock::hold(
			'article ' . get_post_meta( $post->ID, Galley_Posts::EXTERNAL, true ),
			static function () use ( $post, $version ) {
				$fields = array(
					'ID'           => $post->ID,
					'post_title'   => Galley_Content::clean_text( (string) $version['title'] ),
					'post_content' => $version['adopted'] ? (string) $version['content'] : Galley_Content::clean( (string) $version['content'] ),
					'post_excerpt' => Galley_Content::clean_text( (string) $version['excerpt'] ),
				);
				if ( user_can( (int) $version['author'], 'edit_posts' ) ) {
					$fields['post_author'] = (int) $version['author'];
				}
				$refusal = $version['adopted'] ? self::adopted_refusal( $post, $fields, '' ) : null;
				if ( $refusal ) {
					return $refusal;
				}
				$notes = array();
				$id    = self::change( $post, $fields, $version['adopted'], $notes );
				if ( is_wp_error( $id ) ) {
					return $id;
				}
				wp_set_object_terms( $id, array_map( 'intval', (array) $version['tags'] ), 'post_tag' );
				wp_set_object_terms( $id, array_map( 'intval', (array) $version['categories'] ), 'category' );
				$version['image'] > 0 ? set_post_thumbnail( $id, (int) $version['image'] ) : delete_post_thumbnail( $id );
				$notes = array_merge( $notes, self::restore_seo( $id, $version ) );
				// They were of the text that is replaced.
				Galley_Structured_Data::store( $id, '' );
				delete_post_meta( $id, Galley_Posts::KEY );
				return Galley_Posts::present( get_post( $id ), array( 'created' => false, 'unchanged' => false, 'notes' => $notes ) );
			}
		);
	}

	/**
	 * Restores the fields for search engines of an earlier version.
	 *
	 * @param int   $id      The post.
	 * @param array $version Fields that Galley_Posts::version() returned.
	 * @return string[] Notes.
	 */
	private static function restore_seo( $id, $version ) {
		$description = sanitize_text_field( (string) $version['description'] );
		if ( ! $version['adopted'] ) {
			return Galley_Seo::put_back( $id, $description );
		}
		$fields = array(
			'description' => $description,
			'title'       => sanitize_text_field( (string) $version['seo_title'] ),
			'canonical'   => esc_url_raw( (string) $version['canonical'] ),
		);
		return Galley_Seo::values( $id ) === $fields ? array() : Galley_Seo::store( $id, $fields, true );
	}
}
