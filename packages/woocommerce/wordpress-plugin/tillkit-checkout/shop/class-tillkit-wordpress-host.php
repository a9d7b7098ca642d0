<?php
/** What the bridge asks of WordPress. */

defined( 'ABSPATH' ) || exit;

final class Tillkit_Wordpress_Host implements Tillkit_Host {

	public function settings(): array {
		return tillkit_settings();
	}

	public function change_settings( array $changes ): void {
		$stored = (array) get_option( 'woocommerce_tillkit_settings', array() );
		foreach ( $changes as $name => $value ) {
			$stored[ $name ] = is_bool( $value ) ? ( $value ? 'yes' : 'no' ) : $value;
		}
		update_option( 'woocommerce_tillkit_settings', $stored );
	}

	public function load( string $name ) {
		// Of two simultaneous calls the second must see that the first has used the code.
		if ( 'pairing' === $name ) {
			wp_cache_delete( 'tillkit_pairing', 'options' );
		}
		return get_option( "tillkit_$name", null );
	}

	/** Secrets are not among the options that WordPress loads for every page, nor in the gateway's settings, which WooCommerce's API returns. */
	public function save( string $name, $value ): void {
		if ( null === $value ) {
			delete_option( "tillkit_$name" );
			return;
		}
		update_option( "tillkit_$name", $value, ! in_array( $name, array( 'link_secrets', 'pairing' ), true ) );
	}

	public function recall( string $name ): string {
		$text = get_transient( "tillkit_$name" );
		return is_string( $text ) ? $text : '';
	}

	public function remember( string $name, string $text, int $seconds ): void {
		if ( '' === $text ) {
			delete_transient( "tillkit_$name" );
			return;
		}
		set_transient( "tillkit_$name", $text, $seconds );
	}

	public function with_lock( string $name, int $seconds, callable $work ) {
		return tillkit_with_lock( $name, $seconds, $work );
	}

	public function has_lost_lock( string $name ): bool {
		return tillkit_has_lost_lock( $name );
	}

	public function order( string $id ): ?Tillkit_Order {
		$order = tillkit_fresh_order( (int) $id );
		return null === $order ? null : tillkit_order( $order );
	}

	public function write_order( string $purpose, array $fields, int $now ) {
		$writers = array(
			'mark-paid'     => 'tillkit_mark_paid',
			'hold'          => 'tillkit_hold',
			'note'          => 'tillkit_add_note',
			'record-refund' => 'tillkit_record_refund',
		);
		return tillkit_run_as_checkout_server(
			static function () use ( $writers, $purpose, $fields, $now ) {
				return isset( $writers[ $purpose ] ) ? $writers[ $purpose ]( $fields, $now ) : tillkit_bad_request();
			}
		);
	}

	/** WooCommerce's own API shows orders. */
	public function read_orders( string $purpose, array $fields ): ?array {
		return null;
	}

	/** WooCommerce sends it like its own e-mails. */
	public function announce_decision( Tillkit_Order $order ): void {
		do_action( 'tillkit_order_needs_decision', (int) $order->id() );
	}

	public function post( string $url, array $headers, string $body, int $seconds ): ?array {
		$reply = wp_remote_post(
			$url,
			array(
				'timeout'             => max( 1, $seconds ),
				'blocking'            => $seconds > 0,
				'redirection'         => 0,
				'limit_response_size' => 1048576,
				'headers'             => $headers,
				'body'                => $body,
			)
		);
		return is_wp_error( $reply ) ? null : array(
			'status' => (int) wp_remote_retrieve_response_code( $reply ),
			'body'   => (string) wp_remote_retrieve_body( $reply ),
		);
	}

	/** Under WooCommerce, Status, Logs, with the source "tillkit". */
	public function log( string $level, string $line ): void {
		if ( function_exists( 'wc_get_logger' ) ) {
			wc_get_logger()->log( $level, $line, array( 'source' => 'tillkit' ) );
		}
	}

	public function translate( string $text ): string {
		// phpcs:ignore WordPress.WP.I18n -- The texts are literals where the bridge calls tillkit_text(); the .po file has them all.
		return translate( $text, 'tillkit-checkout' );
	}

	public function language(): string {
		return tillkit_language();
	}

	public function time_text( int $at, string $part ): string {
		return (string) wp_date( 'date' === $part ? get_option( 'date_format' ) : 'H:i', $at );
	}

	public function price_text( string $amount, string $currency ): string {
		$plain = wp_strip_all_tags( wc_price( $amount, array( 'currency' => $currency ) ) );
		return html_entity_decode( $plain, ENT_QUOTES, 'UTF-8' );
	}

	public function actor(): string {
		return tillkit_current_actor();
	}

	public function site_address(): string {
		return tillkit_site_address();
	}

	public function shop(): array {
		return array(
			'name'         => wp_specialchars_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES ),
			'currency'     => (string) get_woocommerce_currency(),
			'decimals'     => (int) wc_get_price_decimals(),
			'settings_url' => tillkit_settings_url(),
			'version'      => TILLKIT_VERSION,
			'platform'     => 'WooCommerce ' . WC_VERSION . ', WordPress ' . get_bloginfo( 'version' ),
			'paid_status'  => __( 'Processing or Completed', 'tillkit-checkout' ),
		);
	}
}
