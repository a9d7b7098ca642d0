<?php
/** A shop in memory: what a platform is for the bridge, and nothing of WordPress. */

final class Memory_Shop implements Tillkit_Host {

	/** @var array What the owner has set. */
	public $settings = array(
		'enabled'         => true,
		'checkout_server' => 'https://pay.example',
		'store'           => 'boutique',
		'dashboard'       => '',
		'owner_pages'     => false,
		'test'            => false,
		'log'             => false,
	);

	/** @var array What the bridge stores, by name. */
	public $stored = array();

	/** @var array<string,string> */
	public $remembered = array();

	/** @var array<string,Memory_Order> */
	public $orders = array();

	/** @var string[] The locks that are held now. */
	public $held = array();

	/** @var string|null The lock that is lost while it is held. */
	public $lost = null;

	/** @var array<int,array> The calls of `write_order`. */
	public $writes = array();

	/** @var array<int,array> The requests to the checkout server. */
	public $requests = array();

	/** @var callable|null Answers the requests; null answers none. */
	public $checkout_server;

	/** @var string[] */
	public $lines = array();

	/** @var string[] The orders about which the owner got an e-mail. */
	public $announced = array();

	/** @var string */
	public $language = 'en';

	public function settings(): array {
		return $this->settings;
	}

	public function change_settings( array $changes ): void {
		$this->settings = $changes + $this->settings;
	}

	public function load( string $name ) {
		return $this->stored[ $name ] ?? null;
	}

	public function save( string $name, $value ): void {
		$this->stored[ $name ] = $value;
	}

	public function recall( string $name ): string {
		return $this->remembered[ $name ] ?? '';
	}

	public function remember( string $name, string $text, int $seconds ): void {
		$this->remembered[ $name ] = $text;
	}

	public function with_lock( string $name, int $seconds, callable $work ) {
		if ( in_array( $name, $this->held, true ) ) {
			return null;
		}
		$this->held[] = $name;
		try {
			return $work();
		} finally {
			array_pop( $this->held );
		}
	}

	public function has_lost_lock( string $name ): bool {
		return $this->lost === $name;
	}

	public function order( string $id ): ?Tillkit_Order {
		return $this->orders[ $id ] ?? null;
	}

	public function write_order( string $purpose, array $fields, int $now ) {
		$this->writes[] = compact( 'purpose', 'fields' ) + array( 'held' => $this->held );
		return array(
			'outcome' => 'recorded',
			'order'   => $fields['order'],
		);
	}

	public function read_orders( string $purpose, array $fields ): ?array {
		return array( 'outcome' => 'read' ) + compact( 'purpose', 'fields' );
	}

	public function announce_decision( Tillkit_Order $order ): void {
		$this->announced[] = $order->id();
	}

	public function post( string $url, array $headers, string $body, int $seconds ): ?array {
		$this->requests[] = compact( 'url', 'headers', 'body', 'seconds' );
		return null === $this->checkout_server ? null : ( $this->checkout_server )( $url, json_decode( $body, true ) );
	}

	public function log( string $level, string $line ): void {
		$this->lines[] = "$level $line";
	}

	public function translate( string $text ): string {
		return 'fr' === $this->language ? french_texts()[ $text ] : $text;
	}

	public function language(): string {
		return $this->language;
	}

	public function time_text( int $at, string $part ): string {
		return gmdate( 'date' === $part ? 'Y-m-d' : 'H:i', $at );
	}

	public function price_text( string $amount, string $currency ): string {
		return number_format( (float) $amount ) . ' ' . ( 'XOF' === $currency ? 'F CFA' : $currency );
	}

	public function actor(): string {
		return 'employee #7';
	}

	public function site_address(): string {
		return 'https://shop.example';
	}

	public function shop(): array {
		return array(
			'name'         => 'Boutique',
			'currency'     => 'XOF',
			'decimals'     => 0,
			'settings_url' => 'https://shop.example/admin/tillkit',
			'version'      => '0.1.0',
			'platform'     => 'Memory 1',
			'paid_status'  => 'Paid',
		);
	}
}

final class Memory_Order implements Tillkit_Order {

	/** @var array<string,string> */
	public $facts = array();

	/** @var string[] */
	public $notes = array();

	public function id(): string {
		return '1042';
	}

	public function key(): string {
		return 'AbC123xyZ';
	}

	public function number(): string {
		return 'B-1042';
	}

	public function total(): string {
		return '5000.000000';
	}

	public function currency(): string {
		return 'XOF';
	}

	public function fact( string $name ): string {
		return $this->facts[ $name ] ?? '';
	}

	public function write_facts( array $facts ): void {
		$this->facts = array_filter( $facts + $this->facts, 'strlen' );
	}

	public function add_note( string $text ): void {
		$this->notes[] = $text;
	}
}

/** @return array<string,string> */
function french_texts(): array {
	preg_match_all( '/^msgid (".*")\nmsgstr (".*")$/m', file_get_contents( __DIR__ . '/../../php/languages/fr.po' ), $rows );
	return array_combine( array_map( 'json_decode', $rows[1] ), array_map( 'json_decode', $rows[2] ) );
}
